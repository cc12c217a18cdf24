"""Rules that compare parts of a KNN file: stages with each other, the tensor table with the model, blocks with rows."""

from __future__ import annotations

from bitproof_spec.rules import Rule

MODEL_RULES = (
    Rule(
        "KNN-STG-01",
        "shapes",
        "The first stage is an Input, and no other is.",
        "Without it the shapes of all parameters are unknown; a second one contradicts the first.",
        "a Dense as the first stage",
    ),
    Rule(
        "KNN-STG-02",
        "shapes",
        "Stages have different names, compared with their case.",
        "Two stages would claim the same tensors.",
        'two stages named "dense"',
    ),
    Rule(
        "KNN-SHP-01",
        "shapes",
        "Convolution and pooling take an input of rank 3.",
        "Height, width and channels of another rank would be guessed at.",
        "a Conv2D after a Flatten",
    ),
    Rule(
        "KNN-SHP-02",
        "shapes",
        'Under "valid" a window has a place along each axis, and a transposed convolution a cell.',
        "The output would have a negative size, or none that the formula means.",
        "a kernel of 3 over 2 cells",
    ),
    Rule(
        "KNN-SIZ-01",
        "shapes",
        "Every stage's output, taken with at least 1 for each extent, is below 2^63 bytes in the model's precision.",
        "Sizes that wrap in 64 bits look small; an extent of 0 must not hide that.",
        "an Input of [4294967296, 4294967296, 0]",
    ),
    Rule(
        "KNN-SIZ-02",
        "shapes",
        "Every tensor, taken with at least 1 for each extent, is below 2^63 bytes.",
        "Sizes that wrap in 64 bits look small; an extent of 0 must not hide that.",
        "a kernel of [2147483648, 2147483648, 0, 2]",
    ),
    Rule(
        "KNN-SIZ-03",
        "shapes",
        "Every tensor is at most 2^53-1 bytes long.",
        "Its length, and a longest extent, could not be stated in the table.",
        "a binary64 kernel of [1125899906842624, 1]",
    ),
)

TABLE_RULES = (
    Rule(
        "KNN-TAB-01",
        "table",
        "Every tensor that model and training state require has a row.",
        "A model with random or stale values in one place looks loaded.",
        "a momentum of 0.9 without momentum tensors",
    ),
    Rule(
        "KNN-TAB-02",
        "table",
        "No row has an id that they don't require.",
        "Data that nothing reads hides a renamed tensor.",
        '"dense_1/gamma"',
    ),
    Rule(
        "KNN-TAB-03",
        "table",
        "No id has two rows.",
        "Of two tensors for one parameter one is wrong.",
        "the same row twice",
    ),
    Rule(
        "KNN-TAB-04",
        "table",
        "Rows are in table order.",
        "Two orders would be two files for one state.",
        "bias before kernel",
    ),
    Rule(
        "KNN-TAB-05",
        "table",
        "A row's dtype is the one that its tensor owes.",
        "Bits of one format mean other numbers in another.",
        "binary16 for the moments of a binary16 model",
    ),
    Rule(
        "KNN-TAB-06",
        "table",
        "A row's shape is the one that inference gives.",
        "A shape of the same size would be taken transposed, or broadcast.",
        "[2, 3] for a kernel of [3, 2]",
    ),
    Rule(
        "KNN-TAB-07",
        "table",
        "A row's length is the product of its shape and the item size of the owed dtype.",
        "The rest of a short tensor would come from the next one.",
        "28 bytes for 8 binary32 elements",
    ),
    Rule(
        "KNN-TAB-08",
        "table",
        "An offset is the first multiple of 64 at or after the stated end of the row before; the first is 0.",
        "Overlaps share bytes between tensors, and holes hide them.",
        "two rows with one offset",
    ),
    Rule(
        "KNN-TAB-09",
        "table",
        "The file ends with its last block, or with its manifest when there are no tensors.",
        "Bytes after the end belong to nothing, and missing ones would read as zeros.",
        "64 zero bytes appended, counted in the header",
    ),
    Rule(
        "KNN-TAB-10",
        "table",
        "The lengths of all tensors add up to no more than the reader's budget, 2 GiB unless given.",
        "A small request must not be answered with all of the machine's memory.",
        "moments that pass the budget that the parameters alone keep",
    ),
    Rule(
        "KNN-PAD-01",
        "blocks",
        "Every byte between manifest and blocks, and between blocks, is 0.",
        "Other bytes would be content that no digest covers.",
        "a byte 01 after the manifest",
    ),
    Rule(
        "KNN-BLK-01",
        "blocks",
        "A block's SHA-256 is the one that its row states.",
        "A changed bit of a weight would be loaded as if it had been saved.",
        "a weight in which one bit has flipped",
    ),
)

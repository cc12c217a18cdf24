"""Gate 6: the tensor table, against what the model owes and against the real size of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bitproof_spec.alignment import align_up
from bitproof_spec.findings import Findings, counted
from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.manifest import Entry
from bitproof_spec.klyn.members import shown
from bitproof_spec.klyn.sequences import Comparison, compare
from bitproof_spec.layout import TensorSpec


def data_start(manifest_length: int, tensors: int) -> int:
    """Where the first block stands, or the end of the file without tensors; bytes from the start of the file."""
    end = HEADER_SIZE + manifest_length
    return align_up(end) if tensors else end


def judge_table(entries: Sequence[Entry], specs: Sequence[TensorSpec], findings: Findings) -> None:
    """Rows told apart by id, then row by row; each offset follows from the stated end of the row before."""
    compared = compare([spec.name for spec in specs], [entry.id for entry in entries])
    _judge_ids(entries, specs, compared, findings)
    end = 0
    for index, entry in enumerate(entries):
        where, place = f"/tensors/{index}", compared.places[index]
        if place is not None:
            _judge_row(where, entry, specs[place], findings)
        offset = align_up(end)
        owed = f"{offset}, the first multiple of 64 from the end of the block before"
        findings.owe(entry.offset == offset, "KNN-TAB-08", f"{where}/offset", entry.offset, owed)
        end = entry.offset + entry.length


def judge_sizes(
    entries: Sequence[Entry], start: int, size: int | None, max_bytes: int | None, findings: Findings
) -> None:
    """The file's real size against the stated end of the last block, and the budget; None leaves one out."""
    end = start + (entries[-1].offset + entries[-1].length if entries else 0)
    cut = ": truncated" if size is not None and size < end else ""
    findings.owe(size in (None, end), "KNN-TAB-09", "/tensors", f"a file of {size} bytes", f"{end} bytes{cut}")
    lengths = [entry.length for entry in entries]
    if max_bytes is not None and not within_budget(lengths, max_bytes):
        findings.add("KNN-TAB-10", "/tensors", f"{counted(sum(lengths), 'byte')} of tensors", f"at most {max_bytes}")


def within_budget(lengths: Iterable[int], max_bytes: int) -> bool:
    """Whether all blocks together keep the budget, bytes; it is inclusive."""
    return sum(lengths) <= max_bytes


def _judge_ids(entries: Sequence[Entry], specs: Sequence[TensorSpec], compared: Comparison, findings: Findings) -> None:
    for index in compared.missing:
        findings.add("KNN-TAB-01", "/tensors", f"no {specs[index].name}", "every tensor of the model and its training")
    for index in compared.extra:
        findings.add("KNN-TAB-02", f"/tensors/{index}/id", shown(entries[index].id), "a tensor of the model")
    for index in compared.duplicate:
        findings.add("KNN-TAB-03", f"/tensors/{index}/id", shown(entries[index].id), "each tensor once")
    for index in compared.misplaced:
        findings.add("KNN-TAB-04", f"/tensors/{index}/id", shown(entries[index].id), "table order")


def _judge_row(where: str, entry: Entry, spec: TensorSpec, findings: Findings) -> None:
    """dtype, shape and length of one row; the length of the owed dtype and shape, where the shape is right."""
    findings.owe(entry.dtype == spec.storage.tag, "KNN-TAB-05", f"{where}/dtype", shown(entry.dtype), spec.storage.tag)
    if findings.owe(entry.shape == spec.shape, "KNN-TAB-06", f"{where}/shape", list(entry.shape), list(spec.shape)):
        owed = spec.nbytes
        findings.owe(entry.length == owed, "KNN-TAB-07", f"{where}/length", entry.length, owed)

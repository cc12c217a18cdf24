"""Gate 5: stages and shapes. Names, inference through the model, sizes, and the generators that Dropouts owe."""

from __future__ import annotations

from math import prod

from bitproof_spec.findings import Findings
from bitproof_spec.klyn.constants import INTEGER_LIMIT, SIZE_LIMIT, STORAGE
from bitproof_spec.klyn.manifest import Manifest
from bitproof_spec.klyn.members import shown
from bitproof_spec.klyn.sequences import compare
from bitproof_spec.klyn.shapes import Misfit, Shape, output_shape
from bitproof_spec.klyn.stages import Dropout, Input, Stage
from bitproof_spec.klyn.tensors import parameter_shapes, training_tensors
from bitproof_spec.layout import TensorSpec

UNKNOWN: Shape = (1,)  # what stands for the input of a first stage that is no Input


def judge_stages(manifest: Manifest, findings: Findings) -> tuple[TensorSpec, ...]:
    """The tensor table that the model owes; it counts only when there are no findings.

    Inference stops after the first stage that can't be inferred, or whose output passes the bound; names go on.
    """
    names: set[str] = set()
    shape: Shape | None = UNKNOWN
    parameters: list[TensorSpec] = []
    for index, stage in enumerate(manifest.stages):
        where = f"/model/stages/{index}"
        placed = (index == 0) == isinstance(stage, Input)
        owed = "Input" if index == 0 else "another stage: Input is the first and only there"
        if not findings.owe(placed, "KNN-STG-01", f"{where}/type", stage.type, owed):
            shape = None
        findings.owe(stage.name not in names, "KNN-STG-02", f"{where}/name", stage.name, "a name of its own")
        names.add(stage.name)
        if shape is not None:
            specs, shape = _infer(findings, where, manifest, stage, shape)
            parameters += specs
    _judge_random(findings, manifest)
    optimizer = manifest.training.optimizer if manifest.training else None
    return (*parameters, *training_tensors(manifest.precision, optimizer, parameters))


def _infer(
    findings: Findings, where: str, manifest: Manifest, stage: Stage, shape: Shape
) -> tuple[list[TensorSpec], Shape | None]:
    """The parameters of one stage, sizes judged, and its output, None when later stages can't be inferred."""
    output = output_shape(stage, shape)
    if isinstance(output, Misfit):
        return [], (shape if findings.add(output.rule, where, output.found, output.owed) else None)
    bytes_out = bound(output, STORAGE[manifest.precision].width)
    fits = findings.owe(bytes_out < SIZE_LIMIT, "KNN-SIZ-01", where, f"an output of {sized(bytes_out)}", "below 2^63")
    storage = STORAGE[manifest.precision]
    specs = [TensorSpec(f"{stage.name}/{name}", storage, extents) for name, extents in parameter_shapes(stage, shape)]
    optimizer = manifest.training.optimizer if manifest.training else None
    for spec in (*specs, *training_tensors(manifest.precision, optimizer, specs)):
        size = bound(spec.shape, spec.storage.width)
        if findings.owe(size < SIZE_LIMIT, "KNN-SIZ-02", where, f"{spec.name} of {sized(size)}", "below 2^63"):
            length = f"{spec.name} of {sized(spec.nbytes)}"
            findings.owe(spec.nbytes <= INTEGER_LIMIT, "KNN-SIZ-03", where, length, f"at most {INTEGER_LIMIT}")
    return specs, (output if fits else None)


def bound(shape: Shape, width: int) -> int:
    """The bytes of a tensor with every 0 taken for 1, so that an empty one can't hide an overflow."""
    return prod(max(extent, 1) for extent in shape) * width


def sized(bytes_owed: int) -> str:
    """A size as a finding shows it, short however large."""
    return f"{bytes_owed} bytes" if bytes_owed < 2 * SIZE_LIMIT else f"at least 2^{bytes_owed.bit_length() - 1} bytes"


def _judge_random(findings: Findings, manifest: Manifest) -> None:
    """Every Dropout has its generator's state, in stage order; without training state there is nothing to compare."""
    if manifest.training is None:
        return
    owed = [stage.name for stage in manifest.stages if isinstance(stage, Dropout)]
    found = [state.stage for state in manifest.training.random]
    compared, where = compare(owed, found), "/training/random"
    for index in compared.missing:
        findings.add("KNN-RND-01", where, f"none for {owed[index]}", "the generator of every Dropout")
    for index in compared.extra:
        findings.add("KNN-RND-02", f"{where}/{index}/stage", shown(found[index]), "the name of a Dropout")
    for index in compared.duplicate:
        findings.add("KNN-RND-03", f"{where}/{index}/stage", shown(found[index]), "each Dropout once")
    for index in compared.misplaced:
        findings.add("KNN-RND-04", f"{where}/{index}/stage", shown(found[index]), "stage order")

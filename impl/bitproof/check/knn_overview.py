"""What is in a KNN file, as facts and tables."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from bitproof.check.content import Overview, Table
from bitproof.compare.words import reading
from bitproof_spec.format import View
from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.document import REALS, Checkpoint, head, plain
from bitproof_spec.klyn.header import unpack
from bitproof_spec.klyn.shapes import Misfit, Shape, output_shape
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.klyn.tensors import parameter_shapes, table
from bitproof_spec.klyn.text import limits
from bitproof_spec.klyn.training import Training
from bitproof_spec.layout import TensorSpec
from bitproof_spec.strict_json import JsonValue, parse


class Placed(NamedTuple):
    """A stage, the shape that it makes of a sample, and how many parameters it has."""

    number: int
    stage: Stage
    shape: Shape
    parameters: int


def overview(document: Checkpoint, view: View) -> Overview:
    """Facts, stages, training state and tensors of a file that conforms."""
    training = document.training
    specs = table(document.precision, document.stages, training.optimizer if training else None)
    placed, rows = tuple(_placed(document)), _rows(view)
    parameters = sum(each.parameters for each in placed)
    facts = (
        ("precision", document.precision),
        ("stages", str(len(placed))),
        ("parameters", f"{parameters:,}"),
        ("tensor bytes", f"{sum(spec.nbytes for spec in specs):,}"),
        ("training", _summary(training)),
    )
    tables = [_stages(placed)]
    if training is not None:
        tables.append(_training(training))
    tables.append(_tensors(specs, rows))
    whole: dict[str, object] = {
        **head(document),
        "parameters": parameters,
        "shapes": [list(each.shape) for each in placed],
        "tensors": [{**row, "shape": list(spec.shape)} for row, spec in zip(rows, specs, strict=True)],
    }
    return Overview(facts, tuple(tables), whole)


def _placed(document: Checkpoint) -> Iterator[Placed]:
    shape: Shape = ()
    for index, stage in enumerate(document.stages):
        parameters = sum(prod(extents) for _, extents in parameter_shapes(stage, shape))
        output = output_shape(stage, shape)
        assert not isinstance(output, Misfit)  # the judge has accepted the file
        shape = output
        yield Placed(index, stage, shape, parameters)


def _rows(view: View) -> list[dict[str, JsonValue]]:
    """The rows of the tensor table as the file states them."""
    header = unpack(view.look("KNN-HDR-01", 0, HEADER_SIZE))
    text = view.look("KNN-TXT-01", HEADER_SIZE, header.manifest_length)
    value = parse(text, limits(text))
    rows = value["tensors"] if isinstance(value, dict) else ()
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, tuple) else []


def _stages(placed: tuple[Placed, ...]) -> Table:
    columns = ("stage#", "name", "type", "output shape", "parameters#", "options")
    rows = tuple(
        (str(number), stage.name, stage.type, _shape(shape), f"{parameters:,}", _options(stage))
        for number, stage, shape, parameters in placed
    )
    return Table("Stages", columns, rows)


def _options(stage: Stage) -> str:
    members = {
        name: value for name, value in zip(stage._fields, stage, strict=True) if name not in ("name", "type", "shape")
    }
    return ", ".join(f"{name}={_value(name, plain(name, value))}" for name, value in members.items())


def _summary(training: Training | None) -> str:
    if training is None:
        return "none: never compiled, or written without the optimizer"
    return f"{training.optimizer.type}, {training.step:,} updates applied, {training.loss}"


def _training(training: Training) -> Table:
    return Table("Training", ("member", "word", "value"), tuple(_members("", plain("training", training))))


def _members(where: str, value: JsonValue) -> Iterator[tuple[str, str, str]]:
    """Every member that is no object or array, by its path; a real as a number and as its word."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _members(f"{where}.{name}" if where else name, item)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _members(f"{where}[{index}]", item)
    else:
        name = where.rpartition(".")[2]
        word = value if name in REALS and isinstance(value, str) else ""
        yield where, word, _value(name, value)


def _value(name: str, value: JsonValue) -> str:
    """A member for people: reals in decimal, counters without leading zeros, the rest as JSON writes it."""
    if name in REALS and isinstance(value, str):
        return reading("binary64", bytes.fromhex(value)[::-1])
    if name == "counter" and isinstance(value, str):
        return f"{int(value, 16):,}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return _shape(tuple(item for item in value if isinstance(item, int)))
    return "null" if value is None else str(value)


def _tensors(specs: tuple[TensorSpec, ...], rows: list[dict[str, JsonValue]]) -> Table:
    columns = ("tensor", "dtype", "shape", "bytes#", "offset#", "sha256")
    cells = tuple(
        (
            spec.name,
            spec.storage.tag,
            _shape(spec.shape),
            f"{spec.nbytes:,}",
            f"{row['offset']:,}",
            str(row["sha256"])[:16],
        )
        for spec, row in zip(specs, rows, strict=True)
    )
    return Table("Tensors", columns, cells)


def _shape(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"

"""Reading the members of manifest objects: which are owed, which are unknown, and of what JSON type each is.

A reader records a finding and gives a stand-in of the right type when a value breaks a rule; the caller drops what it
built as soon as there are findings. Only a judge with a rule switched off goes on with stand-ins, which break none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from bitproof_spec.findings import Findings
from bitproof_spec.strict_json import JsonValue

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
SHOWN = 60  # characters of a value or name that a finding repeats


class Kind(NamedTuple, Generic[T_co]):
    """How a member is judged, and the value that stands for one that is absent."""

    read: Callable[[Findings, str, JsonValue], T_co]
    default: T_co


Schema: TypeAlias = Mapping[str, Kind[object]]


def members(
    findings: Findings, where: str, value: JsonValue, schema: Schema, optional: tuple[str, ...] = ()
) -> dict[str, object] | None:
    """The members of an object, each judged by its kind: first those owed, in their order, then unknown ones.

    None for what is no object: then that is the one finding.
    """
    if not isinstance(value, dict):
        findings.add("KNN-MEM-01", where or "/", shown(value), "an object")
        return None
    result: dict[str, object] = {}
    for name, kind in schema.items():
        if name in value:
            result[name] = kind.read(findings, f"{where}/{name}", value[name])
        else:
            result[name] = kind.default
            if name not in optional:
                findings.add("KNN-MEM-02", f"{where}/{name}", "absent", "a member of that name")
    for name in value:
        if name not in schema:
            findings.add("KNN-MEM-03", f"{where}/{token(name)}", shown(value[name]), "no such member")
    return result


def typed(findings: Findings, where: str, value: JsonValue, kind: type[T], default: T, owed: str) -> T:
    """A value of one JSON type; true and false are no integers."""
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    findings.add("KNN-MEM-01", where, shown(value), owed)
    return default


def variant(
    findings: Findings, where: str, value: JsonValue, rule: str, schemas: Mapping[str, Schema]
) -> tuple[str, dict[str, object]] | None:
    """An object whose `type` chooses its schema, with its members; None when there is no choice: then one finding."""
    if not isinstance(value, dict):
        findings.add("KNN-MEM-01", where, shown(value), "an object")
    elif "type" not in value:
        findings.add("KNN-MEM-02", f"{where}/type", "absent", "a member of that name")
    elif not isinstance(chosen := value["type"], str):
        findings.add("KNN-MEM-01", f"{where}/type", shown(chosen), "a string")
    elif chosen not in schemas:
        findings.add(rule, f"{where}/type", shown(chosen), " or ".join(schemas))
    else:
        found = members(findings, where, {k: v for k, v in value.items() if k != "type"}, schemas[chosen])
        return None if found is None else (chosen, found)
    return None


def token(name: str) -> str:
    """A member's name in a JSON pointer (RFC 6901), cut when it is long."""
    short = name if len(name) <= SHOWN else name[: SHOWN - 1] + "…"
    return short.replace("~", "~0").replace("/", "~1")


def shown(value: JsonValue) -> str:
    """A JSON value as a finding shows it, short whatever its size."""
    match value:
        case dict():
            return f"an object of {len(value)} members"
        case tuple():
            return f"an array of {len(value)}"
        case str():
            return f'"{value}"' if len(value) <= SHOWN else f'"{value[: SHOWN - 1]}…"'
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)

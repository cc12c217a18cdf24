"""Reading the members of manifest objects: which are owed, which are unknown, and of what JSON type each is.

A reader records a finding and gives its kind's default when a value breaks a rule; the caller drops what it built as
soon as there are findings. Only a judge with a rule switched off goes on with defaults, which break no rule.
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
    """How a member is judged, and the JSON value that stands for one that is absent where that is allowed."""

    read: Callable[[Findings, str, JsonValue], T_co]
    default: JsonValue


Schema: TypeAlias = Mapping[str, Kind[object]]


def members(
    findings: Findings, where: str, value: JsonValue, schema: Schema, optional: tuple[str, ...] = ()
) -> dict[str, object]:
    """The members of an object, each judged by its kind: first those owed, in their order, then unknown ones."""
    given: Mapping[str, JsonValue] = {name: kind.default for name, kind in schema.items()}
    if isinstance(value, dict):
        given = value
    else:
        findings.add("KNN-MEM-01", where or "/", shown(value), "an object")
    result: dict[str, object] = {}
    for name, kind in schema.items():
        if name not in given and name not in optional:
            findings.add("KNN-MEM-02", f"{where}/{name}", "absent", "a member of that name")
        result[name] = kind.read(findings, f"{where}/{name}", given.get(name, kind.default))
    for name in given:
        if name not in schema:
            findings.add("KNN-MEM-03", f"{where}/{token(name)}", shown(given[name]), "no such member")
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
        return chosen, members(findings, where, {k: v for k, v in value.items() if k != "type"}, schemas[chosen])
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

"""What commands make of arguments that they don't know, of names that look like options, and of ids of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.command import in_process


@pytest.mark.parametrize(
    ("line", "usage", "error"),
    [
        ("check --no-such x", "bitproof check ", "unrecognized arguments: --no-such"),
        ("vectors list --no-such", "bitproof vectors list ", "unrecognized arguments: --no-such"),
        ("vectors show --no-such x", "bitproof vectors show ", "unrecognized arguments: --no-such"),
        ("vectors --no-such", "bitproof vectors ", "the following arguments are required: ACTION"),
        ("check --sel KNN x", "bitproof check ", "unrecognized arguments: --sel"),
        ("vectors show --js x", "bitproof vectors show ", "unrecognized arguments: --js"),
        ("--vers", "bitproof ", "unrecognized arguments: --vers"),
    ],
)
def test_an_option_that_is_not_there_is_answered_with_the_usage_of_the_command(
    line: str, usage: str, error: str
) -> None:
    ran = in_process(*line.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"usage: {usage}")
    assert ran.err.splitlines()[-1].endswith(f" error: {error}")


def test_a_file_whose_name_begins_with_a_dash_can_be_named_and_who_does_it_wrong_is_told_how(folder: Path) -> None:
    (folder / "half-adam.knn").rename(folder / "-dash.knn")
    for command in ("check", "inspect", "map"):
        ran = in_process(command, "-dash.knn")
        assert ran.code == 2
        assert ran.err.splitlines()[-1].endswith("for the file of that name, write ./-dash.knn, or -- before it")
        assert in_process(command, "--", "-dash.knn").code == in_process(command, "./-dash.knn").code == 0


def test_only_ids_that_come_near_are_offered_for_one_that_is_not_there() -> None:
    assert in_process("explain", "NOPE-01").err == "bitproof explain: no rule 'NOPE-01'\n"
    assert "; nearest: KNN-HDR-0" in in_process("explain", "KNN-HRD-06").err
    assert "LAY-TAG-01  error" in in_process("explain", "LAY-TAG").out


def test_clauses_about_saving_are_pointed_to_where_they_stand() -> None:
    ran = in_process("explain", "PUB-TEMP-01")
    assert ran.code == 2
    assert "spec/publication.md" in ran.err

"""`spec/publication.md` beside the code and the tests: clauses, constants, and who holds each clause."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from bitproof_spec import publication

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "spec" / "publication.md").read_text()
CLAUSE = re.compile(r"PUB-[A-Z]+-\d\d")

# The tests that fail when the clause is broken.
HELD_BY = {
    "PUB-NAME-01": "paths.test_every_kind_of_path_works_alike_p6 paths.test_odd_names_are_used_as_given_p1_p2_p7",
    "PUB-NAME-02": "paths.test_what_can_be_no_name_is_a_value_error_p8",
    "PUB-NAME-03": "paths.test_paths_in_messages_are_printable_p7 paths.test_no_two_names_are_printed_alike_p7",
    "PUB-DEST-01": "paths.test_a_missing_parent_is_refused_and_not_made_p2 "
    "modes.test_special_files_are_refused_and_stay",
    "PUB-DEST-02": "modes.test_a_link_is_followed_and_stays_a_link_a6 modes.test_a_dangling_link_creates_its_target_a6",
    "PUB-DEST-03": "modes.test_a_folder_moved_while_saving_takes_the_file_with_it",
    "PUB-MODE-01": "modes.test_a_new_file_has_the_mode_that_umask_leaves_a5 modes.test_the_umask_is_never_set_a5",
    "PUB-MODE-02": "modes.test_an_existing_file_keeps_its_mode_a5 modes.test_another_hard_link_keeps_the_old_bytes",
    "PUB-MODE-03": "modes.test_a_file_whose_mode_will_be_set_is_private_until_it_is_complete",
    "PUB-TEMP-01": "model.test_temporary_names_have_the_documented_shape",
    "PUB-TEMP-02": "saves.test_a_temporary_name_that_somebody_has_is_passed_over_a12",
    "PUB-TEMP-03": "saves.test_orphans_of_killed_saves_are_recognised_and_block_nothing_a12",
    "PUB-ORDER-01": "saves.test_calls_come_in_the_order_that_power_loss_needs_a7",
    "PUB-ORDER-02": "saves.test_a_save_that_need_not_be_durable_skips_both_syncs_and_nothing_else_a7",
    "PUB-ORDER-03": "faults.test_a_file_system_without_link_or_rename_is_an_error_and_nothing_is_written_in_place",
    "PUB-WRITE-01": "writes.test_short_writes_are_continued_p1 writes.test_a_write_without_progress_is_an_error_p1",
    "PUB-WRITE-02": "writes.test_a_failed_write_is_not_forgotten "
    "writes.test_a_save_whose_threads_still_write_is_refused",
    "PUB-WRITE-03": "writes.test_a_file_that_lost_bytes_is_refused_by_its_size_p1",
    "PUB-FAIL-01": "faults.test_a_save_that_fails_at_any_call_leaves_old_before_the_rename_and_new_after_it_a11",
    "PUB-FAIL-02": "saves.test_an_error_of_a_sync_is_raised_a7",
    "PUB-KILL-01": "faults.test_a_save_killed_before_any_call_leaves_old_or_new_and_at_most_one_temporary_a1",
    "PUB-POWER-01": "model.test_a_crash_leaves_any_subset_of_what_was_not_synced",
    "PUB-RACE-01": "saves.test_twenty_savers_of_twenty_saves_leave_one_whole_file",
    "PUB-SYS-01": "faults.test_a_file_system_without_unnamed_files_gets_a_named_one",
    "PUB-SYS-02": "model.test_on_macos_a_sync_reaches_the_medium",
    "PUB-SYS-03": "saves.test_without_calls_relative_to_a_directory_paths_are_joined",
}


def test_every_clause_stands_once_and_is_held_by_a_test() -> None:
    clauses = re.findall(r"^\| (PUB-[A-Z]+-\d\d) \|", DOCUMENT, re.MULTILINE)
    assert len(clauses) == len(set(clauses))
    assert set(clauses) == set(HELD_BY)
    for tests in HELD_BY.values():
        for test in tests.split():
            module, _, name = test.partition(".")
            assert callable(getattr(importlib.import_module(f"tests.core.test_publication_{module}"), name))


def test_every_clause_is_cited_where_it_is_implemented_and_none_that_is_not_there() -> None:
    sources = [*(ROOT / "impl" / "bitproof").glob("*.py"), *(ROOT / "spec" / "bitproof_spec").glob("*.py")]
    cited = {clause for source in sources for clause in CLAUSE.findall(source.read_text())}
    assert cited == set(HELD_BY)


def test_the_table_of_constants_is_the_codes() -> None:
    table = dict(re.findall(r"^\| ([A-Z_]+(?:: [A-Z_]+)?) \| (.+) \|$", DOCUMENT, re.MULTILINE))
    octal = {name: f"{getattr(publication, name):04o}" for name in ("NEW_FILE_MODE", "PERMISSIONS", "PRIVATE_MODE")}
    decimal = {
        name: str(getattr(publication, name)) for name in ("LINKS_LIMIT", "NAME_KEPT", "TOKEN_BYTES", "ATTEMPTS")
    }
    retried = {f"RETRIED: {call.name}": ", ".join(sorted(names)) for call, names in publication.RETRIED.items()}
    suffix = {"TEMPORARY_SUFFIX": f"`{publication.TEMPORARY_SUFFIX.decode()}`"}
    assert table == octal | decimal | retried | suffix
    constants = {name for name, value in vars(publication).items() if name.isupper() and isinstance(value, int | bytes)}
    assert constants == set(octal | decimal | suffix)

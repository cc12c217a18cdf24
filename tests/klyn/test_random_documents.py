"""Random documents, spellings and damage: round trips, one verdict, and a document or findings whatever the bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from bitproof.klyn.strategies import checkpoints, other_manifests, spellings
from bitproof.strategies import mutations
from bitproof_spec.document import differences
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.constants import PRECISIONS
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.rules import RULES
from bitproof_spec.klyn.stages import STAGES
from bitproof_spec.laws import law_canonical, law_coverage, law_round_trip, law_segments, law_total
from bitproof_spec.violations import Violations

T = TypeVar("T")
TRIES = settings(
    max_examples=60, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@TRIES
@given(checkpoints())
def test_a_document_comes_back_from_its_file_and_no_advice_with_it(document: Checkpoint) -> None:
    assert KNN.verify(document) is None
    law_round_trip(KNN, document)
    law_segments(KNN, document)
    file = encode(KNN, document)
    law_canonical(KNN, file)
    law_coverage(KNN, file, largest_look=2**24)
    assert encode(KNN, _document(file)) == file
    assert advise(OfBytes(file)) == ()


def _document(file: bytes) -> Checkpoint:
    judged = KNN.judge(OfBytes(file))
    assert isinstance(judged, Checkpoint)
    return judged


@TRIES
@given(spellings())
def test_another_spelling_of_a_manifest_is_the_same_document_v16(spelled: tuple[Checkpoint, bytes]) -> None:
    document, file = spelled
    assert _document(file) == document
    canonical = encode(KNN, document)
    assert (advise(OfBytes(file)) == ()) == (file == canonical)


@TRIES
@given(checkpoints(), checkpoints())
def test_documents_are_equal_exactly_when_they_have_no_difference(left: Checkpoint, right: Checkpoint) -> None:
    assert (left == right) == (differences(left, right) == ()) == (encode(KNN, left) == encode(KNN, right))


@TRIES
@given(checkpoints().map(lambda document: encode(KNN, document)).flatmap(mutations))
def test_a_damaged_file_is_refused_v7(file: bytes) -> None:
    law_total(KNN, file)
    law_coverage(KNN, file, largest_look=2**24)
    assert isinstance(KNN.judge(OfBytes(file)), Violations)


@settings(TRIES, max_examples=150)
@given(other_manifests())
def test_a_damaged_manifest_under_its_own_digest_gives_a_document_or_findings_v15(file: bytes) -> None:
    law_total(KNN, file)
    law_coverage(KNN, file, largest_look=2**24)
    judged = KNN.judge(OfBytes(file))
    if isinstance(judged, Violations):
        assert all(violation.rule in RULES and RULES[violation.rule].severity == "error" for violation in judged)
    else:
        law_round_trip(KNN, judged)


@TRIES
@given(
    st.binary(max_size=200) | st.binary(max_size=200).map(lambda rest: b"\x89KNN\r\n\x1a\n\x01\0\0\0\0\0\0\0" + rest)
)
def test_any_bytes_are_refused_by_findings_only_v10(file: bytes) -> None:
    law_total(KNN, file)
    assert isinstance(KNN.judge(OfBytes(file)), Violations)


def from_several_seeds(drawn: st.SearchStrategy[T], collect: Callable[[T], None]) -> None:
    """Draw from one seed after another: what one run draws depends on which modules happen to be loaded."""
    for number in range(4):
        seed(number)(settings(TRIES, max_examples=150, derandomize=False)(given(drawn)(collect)))()


def test_drawn_documents_reach_every_stage_precision_and_optimizer() -> None:
    seen: set[str] = set()

    def collect(document: Checkpoint) -> None:
        seen.update(stage.type for stage in document.stages)
        seen.update([document.precision, document.training.optimizer.type if document.training else "no training"])
        seen.update("empty tensor" for _, block in document.tensors if 0 in block.shape)

    from_several_seeds(checkpoints(), collect)
    others = {*PRECISIONS, "SGD", "Adam", "no training", "empty tensor"}
    assert seen == {stage.__name__ for stage in STAGES} | others


def test_damaged_manifests_reach_many_rules() -> None:
    seen: Counter[str] = Counter()

    def collect(file: bytes) -> None:
        judged = KNN.judge(OfBytes(file))
        seen.update({violation.rule for violation in judged} if isinstance(judged, Violations) else ["accepted"])

    from_several_seeds(other_manifests(), collect)
    assert {"KNN-TXT", "KNN-MEM", "KNN-TRN", "KNN-TAB"} <= {rule[:7] for rule in seen}
    assert seen["accepted"]
    assert len(seen) >= 15

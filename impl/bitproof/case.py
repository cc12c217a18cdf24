"""One instance and the laws over it, each as a property over the instance's own documents, files and training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from bitproof.case_parts import owe_parts, owe_strategies
from bitproof.hypothesis_extra import SearchStrategy, settings, st
from bitproof.properties import Law, fewer, for_all
from bitproof.strategies import flips, mutations, storage_words
from bitproof_spec import laws, live_laws
from bitproof_spec.document import Block, Document
from bitproof_spec.encoding import Encoding
from bitproof_spec.format import Format, encode
from bitproof_spec.laws import LawBroken
from bitproof_spec.live_laws import FaultAt
from bitproof_spec.target import Trainable, save

D = TypeVar("D", bound=Document)
X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True)
class Case(Generic[D]):
    """All that an implementer registers: a format, documents of it, and new live objects that hold one.

    TypeError for a part that can't be what it is said to be.

    documents
        Documents of the format, of which some fit the live object and some should not.
    fresh
        Makes a new live object, each time in the same state; its training must depend on nothing but that state.
    hostile
        More files to judge, for places that mutations of valid files don't reach, as behind a digest.
    encodings
        The scalars of the format, when it has its own.
    fault_at
        Under `fault_at(k)` the k-th tensor that is staged raises `Fault`; see `failing`.
    largest_look
        The most bytes that the judge may look at at once; blocks aren't bounded.
    steps
        The most training steps that one law takes at once.
    """

    name: str
    format: Format[D]
    documents: SearchStrategy[D]
    fresh: Callable[[], Trainable[D]]
    hostile: SearchStrategy[bytes] | None = None
    encodings: Sequence[Encoding[Any]] = ()  # Any: each of its own scalar
    fault_at: FaultAt | None = None
    largest_look: int = 2**16
    steps: int = 3

    def __post_init__(self) -> None:
        """TypeError for a part that can't be what it is said to be, before any law runs."""
        owe_parts(self.name, self.format, self.fresh)
        owe_strategies(self.documents, self.hostile, self.encodings)

    def laws(self) -> tuple[Law, ...]:
        """Every law that the case can break.

        `canonical` where its format claims it, `encoding` and `stage-faults` where it brings the means, others always.
        """
        runs: dict[str, Callable[[settings], None]] = {
            "round-trip": self._over_documents(laws.law_round_trip),
            "segments": self._over_documents(laws.law_segments),
            "total": self._over_files(laws.law_total),
            "coverage": self._over_files(partial(laws.law_coverage, largest_look=self.largest_look)),
            "staged": self._staged,
            "commit": self._commit,
            "read-faults": self._read_faults,
            "capture": self._over_steps(partial(live_laws.law_capture, self.fresh)),
            "trains": lambda _: live_laws.law_trains(self.fresh),
            "independent": self._over_steps(partial(live_laws.law_independent, self.format, self.fresh)),
            "resume": self._resume,
        }
        if self.format.canonical:
            runs["canonical"] = self._over_files(laws.law_canonical)
        if self.encodings:
            runs["encoding"] = self._encoding
        if self.fault_at:
            runs["stage-faults"] = partial(self._stage_faults, self.fault_at)
        return tuple(Law(self.name, name, run) for name, run in runs.items())

    @property
    def own_files(self) -> SearchStrategy[bytes]:
        """The files of the case's documents."""
        return self.documents.map(partial(encode, self.format))

    @property
    def files(self) -> tuple[SearchStrategy[bytes], ...]:
        """Files to judge, each kind to be tried for itself: the documents' own, damaged ones, hostile ones."""
        own = self.own_files
        damaged = st.tuples(own, own).flatmap(lambda two: mutations(two[0], others=two[1:])) | st.binary(max_size=64)
        return (own, damaged) if self.hostile is None else (own, damaged, self.hostile)

    def trained(self, steps: int) -> Trainable[D]:
        """A new live object after that many steps."""
        live = self.fresh()
        live.advance(steps)
        return live

    @property
    def _some(self) -> SearchStrategy[int]:
        return st.integers(0, self.steps)

    def _over_steps(self, law: Callable[[int], None]) -> Callable[[settings], None]:
        return lambda within: for_all(within, self._some, law)

    def _over_documents(self, law: Callable[[Format[D], D], None]) -> Callable[[settings], None]:
        return lambda within: for_all(within, self.documents, partial(law, self.format))

    def _over_files(self, law: Callable[[Format[D], bytes], None]) -> Callable[[settings], None]:
        def run(within: settings) -> None:
            for files in self.files:
                for_all(within, files, partial(law, self.format))
            for file in flips(save(self.trained(1), self.format)):
                law(self.format, file)

        return run

    def _staged(self, within: settings) -> None:
        def law(steps: int, file: bytes) -> bool:
            return laws.law_staged(self.format, self.trained(steps), file)

        own, *others = self.files
        _owe_once(within, law, [st.tuples(self._some, own)], "staged: the case's own files never fit")
        for files in others:
            for_all(within, st.tuples(self._some, files), lambda drawn: law(*drawn))

    def _commit(self, within: settings) -> None:
        def law(steps: int, document: D) -> bool:
            return live_laws.law_commit(self.trained(steps), document)

        drawn = st.tuples(self._some, self.documents)
        _owe_once(within, law, [drawn], "commit: the case's documents never fit")

    def _read_faults(self, within: settings) -> None:
        def law(steps: int, file: bytes) -> bool:
            return live_laws.law_read_faults(self.format, self.trained(steps), file) > 0

        trained = self._some.map(lambda steps: save(self.trained(steps), self.format))
        kinds = [st.tuples(self._some, files) for files in (trained, *self.files)]
        _owe_once(fewer(within), law, kinds, "read-faults: the judge never read")

    def _stage_faults(self, fault_at: FaultAt, within: settings) -> None:
        def law(steps: tuple[int, int]) -> None:
            source, live = map(self.trained, steps)
            tensors = sum(isinstance(leaf, Block) for leaf in source.capture().leaves().values())
            planted = live_laws.law_stage_faults(self.format, live, save(source, self.format), fault_at)
            if planted < tensors:
                raise LawBroken(f"stage-faults: only {planted} of {tensors} tensors can be made to fail")

        for_all(fewer(within), st.tuples(self._some, self._some), law)

    def _resume(self, within: settings) -> None:
        def law(steps: tuple[int, int, int]) -> None:
            laws.law_resume(self.format, self.fresh, *steps)

        for_all(within, st.tuples(self._some, st.integers(1, self.steps), self._some), law)

    def _encoding(self, within: settings) -> None:
        for encoding in self.encodings:
            drawn = storage_words(encoding) | st.binary(max_size=2 * encoding.width)
            for_all(within, drawn, partial(laws.law_encoding, encoding))


def _owe_once(
    within: settings, law: Callable[[X, Y], bool], kinds: Sequence[SearchStrategy[tuple[X, Y]]], never: str
) -> None:
    """The law over the pairs of each kind; when its premise held of none of any kind, it was not tried: broken."""
    tried: list[bool] = []
    for pairs in kinds:
        for_all(within, pairs, lambda drawn: tried.append(law(*drawn)))
    if not any(tried):
        raise LawBroken(f"{never}, so the law was not tried")

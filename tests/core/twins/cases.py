"""Every twin with the law that refutes it and what that law says; no law goes without one."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bitproof.suite import Case, Law, failing
from tests.core.instances import documents, knn_model
from tests.core.instances.cases import MODEL, MODULE, RUN
from tests.core.instances.knn_document import Knn
from tests.core.instances.knn_format import KnnFormat
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import Tensors, Tlsf32b
from tests.core.instances.tlsf32b_state import LAYOUT, Module
from tests.core.instances.values_document import Values
from tests.core.instances.values_run import Run
from tests.core.twins import knn_twins as knn
from tests.core.twins import module_twins as modules
from tests.core.twins import tlsf32b_twins as tls
from tests.core.twins import values_twins as values
from tests.core.twins.tlsf32b_twins import FloatTensors


class Twin(NamedTuple):
    """A broken case, the law that refutes it, and a pattern of what that law says."""

    case: Case[Knn] | Case[Tensors] | Case[Values]
    law: str
    says: str

    @property
    def refuter(self) -> Law:
        return next(law for law in self.case.laws() if law.name == self.law)


def _model(twin: type[HalfModel], law: str, says: str) -> Twin:
    return Twin(replace(MODEL, name=twin.__name__, fresh=twin), law, says)


def _knn(twin: type[KnnFormat], law: str, says: str) -> Twin:
    return Twin(replace(MODEL, name=twin.__name__, format=twin()), law, says)


def _tls(twin: type[Tlsf32b], law: str, says: str) -> Twin:
    return Twin(replace(MODULE, name=twin.__name__, format=twin()), law, says)


def _run(twin: type[Run], law: str, says: str) -> Twin:
    return Twin(replace(RUN, name=twin.__name__, fresh=twin), law, says)


WORD32 = "owed [0-9a-f]{8}, found [0-9a-f]{8}"
PLAN = r"\d steps?, save, load into an object after \d steps?, \d steps?: "
FLOATS = documents.fitting_tensors().map(lambda document: FloatTensors(document.blocks))
ONE = Module(LAYOUT)
BAD_FIT = documents.other_tensors().filter(lambda document: len(document.blocks) < 3)

TWINS: tuple[Twin, ...] = (
    _model(knn.FloatInThePath, "commit", rf"tensors/dense/\w+/master\[\d\]: {WORD32}"),
    _model(knn.FloatInThePath, "staged", rf"tensors/dense/\w+/master\[\d\]: {WORD32}"),
    _model(knn.MomentsInHalf, "commit", rf"tensors/dense/\w+/adam_[mv]\[\d\]: {WORD32}"),
    _model(
        knn.MomentsInHalf, "resume", PLAN + r"tensors/dense/\w+(/master|/adam_[mv])?\[\d\]: owed [0-9a-f]{4,8}, found"
    ),
    _model(knn.ForgottenCounter, "staged", r"the target differs from its document at: counter: owed \d+, found \d+"),
    _model(knn.ForgottenCounter, "resume", PLAN + r"counter: owed \d+, found \d+"),
    _model(knn.UnsavedCounter, "resume", PLAN + r"tensors/dense/kernel\[\d\]: owed [0-9a-f]{4}, found [0-9a-f]{4}"),
    _model(knn.StaleCache, "resume", PLAN + r"tensors/dense/kernel\[\d\]: owed [0-9a-f]{4}, found [0-9a-f]{4}"),
    _model(
        knn.DisturbingSave,
        "resume",
        r"\d steps?, save, \d steps?: saving disturbed training: tensors/dense/bias\[0\]",
    ),
    _model(knn.CountingSave, "capture", "two captures of one state differ: counter"),
    _model(knn.LentCapture, "capture", "training changed a captured document: tensors/dense/kernel"),
    _model(
        knn.MakesInCommit,
        "stage-faults",
        r"step \d+ failed, and yet the load changed: power: owed .3ff0000000000000., found",
    ),
    _model(knn.ForgottenTensor, "commit", rf"tensors/dense/kernel/master\[\d\]: {WORD32}"),
    _model(knn.NeverTrains, "trains", "one step changes no leaf"),
    _knn(knn.SkippedPadding, "coverage", r"bytes \d+..\d+ before KNL-BLOCK were not looked at"),
    _knn(knn.LooseManifest, "canonical", r"two files for one document, which differ at byte \d+"),
    _knn(knn.BlamesTheFile, "read-faults", "read 0 failed and the file was blamed"),
    _knn(knn.RaisesAnotherError, "read-faults", "read 0 failed and another error came out"),
    _tls(tls.GoesOnAfterErrors, "read-faults", r"read \d+ failed and the load went on"),
    Twin(
        replace(MODEL, name="unreached", fault_at=failing(knn_model, "block_of")),
        "stage-faults",
        "only 0 of 8 tensors can be made to fail",
    ),
    _tls(tls.RaisingJudge, "total", "the judge raised EOFError: the file ends inside its count"),
    _tls(tls.ForgetfulJudge, "total", "two verdicts for one file"),
    _tls(tls.RefusesAllOnes, "total", "a view that only checks gets another verdict"),
    _tls(tls.ForgetfulJudge, "staged", "load and judge disagree"),
    _tls(tls.AnyVersion, "canonical", "two files for one document, which differ at byte ([7-9]|1[0-4])"),
    _tls(tls.LooksPastTheEnd, "coverage", r"TLS-END looked at 1 bytes from (?P<at>\d+) of (?P=at)"),
    _tls(tls.TakesBlocksUnseen, "coverage", r"TLS-DATA took a block of \d+ bytes from 23 of \d+"),
    _tls(tls.ReadsWhole, "coverage", "TLS-ALL looked at 1048576 bytes from 0"),
    _tls(tls.WritesPositiveZeros, "round-trip", r"tensor \d\[\d+\]: owed 80000000, found 00000000"),
    _tls(tls.OwnFilesRefused, "round-trip", "own file refused: TLS-OWN"),
    _tls(tls.MakesUnequal, "round-trip", "unequal documents without a differing leaf"),
    _tls(tls.UnnamedBytes, "segments", r"\d+ bytes under no clause"),
    Twin(replace(MODULE, name="float", documents=FLOATS), "round-trip", "first is a float, no leaf of a document"),
    Twin(replace(MODULE, name="bad-fit", documents=BAD_FIT), "commit", ".* never fit, so the law was not tried"),
    Twin(replace(MODULE, name="bad-fit", documents=BAD_FIT), "staged", ".* never fit, so the law was not tried"),
    Twin(
        replace(MODULE, name="random", fresh=modules.RandomStart), "capture", r"two new objects differ: tensor 0\[0\]"
    ),
    Twin(
        replace(MODULE, name="shares", format=modules.SharesWithTheDocument(), fresh=modules.InPlaceOfTheDocument),
        "independent",
        rf"training a target changed the document it was loaded from: tensor 0\[0\]: {WORD32}",
    ),
    Twin(
        replace(MODULE, name="streams", format=modules.InstallsWhileReading(), fresh=modules.ReadInto),
        "read-faults",
        rf"read \d+ failed, and yet the load changed: tensor 0\[0\]: {WORD32}",
    ),
    *(
        Twin(replace(MODULE, name="one-for-all", fresh=lambda: ONE), law, "fresh gave one object twice")
        for law in ("capture", "trains", "independent", "resume")
    ),
    Twin(
        replace(MODULE, name="quieted", fresh=modules.FirstWordLost),
        "independent",
        rf"the loaded target differs from its document at: tensor 0\[0\]: {WORD32}",
    ),
    Twin(
        replace(MODULE, name="overwrites", format=modules.SharesWithTheDocument(), fresh=modules.SpoilsTheDocument),
        "independent",
        r"loading a target changed the document it was loaded from: tensor 0\[0\]: owed [0-9a-f]{8}, found 00000000",
    ),
    Twin(
        replace(MODULE, name="misread", format=tls.ReadsFirstWordAsZero()),
        "independent",
        r"own file read as another document: tensor 0\[0\]: owed [0-9a-f]{8}, found 00000000",
    ),
    Twin(replace(MODULE, name="trained", fresh=modules.RefusesTrained), "independent", "own document refused: TLS-NEW"),
    _tls(tls.RefusesScalars, "independent", "own file refused: TLS-OWN"),
    Twin(replace(MODULE, name="quiet", encodings=(tls.QuietBinary32(),)), "encoding", ".* comes back as another word"),
    Twin(
        replace(MODULE, name="lax", encodings=(tls.LaxBinary32(),)), "encoding", ".* is not accepted, and yet decoded"
    ),
    _run(values.EagerInstall, "staged", r"a refused load changed: value 3: owed -?\w+, found -?\w+"),
    _run(values.EagerInstall, "commit", r"staging alone changed: value 3: owed -?\w+, found -?\w+"),
    _run(values.SharedMoments, "independent", rf"training one target changed another .*/moments/w1\[0\]: {WORD32}"),
    _run(values.RateThroughFloat32, "resume", PLAN + r"value 2/rate: owed '[0-9a-f]{16}', found '[0-9a-f]{16}'"),
    _run(values.OneStepTooMany, "resume", PLAN + r"value 3: owed \d+, found \d+"),
)

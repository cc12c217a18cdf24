"""What `bitproof vectors export` writes: a folder for each vector, and a README.md that explains them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from bitproof.check.vectors import every, expectation
from tests.check.command import in_process

AREA = "knn/blocks/*"


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every file in a folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_export_describes_itself_and_doing_it_twice_changes_nothing(tmp_path: Path) -> None:
    ran = in_process("vectors", "export", str(tmp_path), AREA)
    assert (ran.code, ran.err) == (0, "")
    first = contents(tmp_path)
    cases = [Path(name).parent for name in first if name.endswith("/file")]
    assert ran.out == f"{len(cases)} vectors in {tmp_path}\n"
    assert len(first) == 1 + 2 * len(cases)
    for case in cases:
        said = json.loads(first[f"{case}/expect.json"])
        assert (said["id"], said["sha256"]) == (str(case), sha256(first[f"{case}/file"]).hexdigest())
    assert in_process("vectors", "export", str(tmp_path), AREA).code == 0
    assert contents(tmp_path) == first


def test_the_readme_explains_every_member_and_every_value_that_vectors_have(tmp_path: Path) -> None:
    assert in_process("vectors", "export", str(tmp_path), AREA).code == 0
    readme = (tmp_path / "README.md").read_text("ascii")
    vectors = list(every())
    owed = {f"`{name}`" for name in expectation(vectors[0], "")}
    owed |= {f"`{value}`" for vector in vectors for value in (vector.result, vector.failure) if value}
    owed |= {f"`{name}`" for vector in vectors for name in vector.request}
    kinds = {text.partition(":")[0] for vector in vectors for text in vector.content.values()}
    owed |= {f"`{kind}:" for kind in kinds if "[" not in kind}
    assert {each for each in owed if each not in readme} == set()
    assert "README.md" in in_process("vectors", "--help").out


def test_an_export_replaces_no_readme_of_somebody_else_and_writes_nothing_then(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# My project\n")
    ran = in_process("vectors", "export", str(tmp_path), AREA)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"bitproof vectors: {tmp_path}/README.md: ")
    assert contents(tmp_path) == {"README.md": b"# My project\n"}


def test_a_refusal_of_the_system_is_told_without_its_number(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    ran = in_process("vectors", "export", str(tmp_path / "file"), AREA)
    assert (ran.code, ran.err) == (2, f"bitproof vectors: {tmp_path}/file/README.md: Not a directory\n")
    assert in_process("vectors", "export", str(tmp_path / "folder"), "none/such").code == 2
    assert not (tmp_path / "folder").exists()

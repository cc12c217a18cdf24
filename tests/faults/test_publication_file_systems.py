"""File systems that are full, read-only or lose their power in the middle of a save."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest

from bitproof import files
from bitproof.files import publish_bytes
from bitproof_spec.publication import is_temporary
from proofs.core.publication_traces import NEW, OLD, SETTINGS, Setting
from proofs.core.traced_os import Plan, TracedOs
from tests.faults.mounts import ext4_image, mounted

ROUTES = pytest.mark.parametrize("unnamed", [True, False], ids=["unnamed", "named"])


@ROUTES
def test_a_full_disk_is_an_error_and_a_later_save_works_a11(tmp_path: Path, unnamed: bool) -> None:
    with mounted("tmpfs", tmp_path / "small", "tmpfs", "size=1m") as small, TracedOs(Plan(unnamed=unnamed)):
        path = small / "x"
        publish_bytes(path, [OLD])
        with pytest.raises(OSError, match="No space left on device") as raised:
            publish_bytes(path, [bytes(700_000), bytes(700_000)])
        assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(path))
        assert {left.name: left.read_bytes() for left in small.iterdir()} == {"x": OLD}
        publish_bytes(path, [bytes(700_000)])
        assert path.read_bytes() == bytes(700_000)


@ROUTES
def test_a_read_only_file_system_is_an_error_a11(tmp_path: Path, unnamed: bool) -> None:
    with mounted("tmpfs", tmp_path / "fixed", "tmpfs", "ro") as fixed, TracedOs(Plan(unnamed=unnamed)):
        with pytest.raises(OSError, match="Read-only file system"):
            publish_bytes(fixed / "x", [NEW])
        assert os.listdir(fixed) == []


def _after_power_loss(image: Path, at: Path) -> dict[str, bytes]:
    """What is on a copy of the image, whose journal the system replays."""
    with mounted(image, at, "ext4", "loop") as disk:
        return {path.name: path.read_bytes() for path in disk.iterdir() if path.name != "lost+found"}


@pytest.mark.slow
@pytest.mark.parametrize("setting", [setting for setting in SETTINGS if setting.durable])
def test_power_lost_at_any_call_leaves_old_or_new_bytes_whole_a7(tmp_path: Path, setting: Setting) -> None:
    image = tmp_path / "image"
    copies: list[Path] = []

    def cut(_number: int = 0) -> None:
        """What has reached the medium by now: all that a loss of power would leave."""
        copies.append(tmp_path / f"cut {len(copies)}")
        shutil.copy(image, copies[-1])

    ext4_image(image)
    with mounted(image, tmp_path / "disk", "ext4", "loop,commit=300") as disk:
        if setting.old:
            publish_bytes(disk / "x", [OLD])
        os.sync()
        with TracedOs(Plan(unnamed=setting.unnamed, before=cut, largest_write=2)) as traced:
            publish_bytes(disk / "x", [NEW])
        cut()
    found = [_after_power_loss(copy, tmp_path / "after") for copy in copies]
    before = {"x": OLD} if setting.old else {}
    assert len(found) == len(traced.trace) + 1
    assert found[0] == before
    for left in found:
        assert left.get("x") in (NEW, before.get("x"))
        assert all(is_temporary(name.encode()) for name in set(left) - {"x"})
    assert found[-1] == found[-2] == {"x": NEW}  # from the sync of the directory on


@pytest.mark.slow
def test_a_save_that_forgets_to_sync_its_directory_is_lost_with_the_power_a7(tmp_path: Path) -> None:
    """The power cut of the test above can show a fault."""
    image = tmp_path / "image"
    ext4_image(image)
    with mounted(image, tmp_path / "disk", "ext4", "loop,commit=300") as disk:
        publish_bytes(disk / "x", [OLD])
        os.sync()
        with patch.object(files._Save, "end", lambda save, durable: save._directory.close()):
            publish_bytes(disk / "x", [NEW])
        assert (disk / "x").read_bytes() == NEW
        shutil.copy(image, tmp_path / "cut")
    assert _after_power_loss(tmp_path / "cut", tmp_path / "after")["x"] == OLD

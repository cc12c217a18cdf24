"""Durable saves beside each other, and saves killed at moments that nobody chose."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitproof_spec.publication import is_temporary
from tests.core.children import in_child

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("route", ["unnamed", "named"])
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_twenty_savers_of_twenty_durable_saves_leave_one_whole_file(tmp_path: Path, route: str, kind: str) -> None:
    code = "from tests.core.many_savers import main; main(*sys.argv[1:])"
    assert int(in_child(code, str(tmp_path / "x"), route, kind, "durable")) >= 1
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("route", ["unnamed", "named"])
def test_two_hundred_saves_killed_at_random_leave_a_whole_file_each_time_a1_a12(tmp_path: Path, route: str) -> None:
    """The moments come from a seed; what must hold doesn't depend on them."""
    in_child(
        """
        import random, signal, time
        path, moments = sys.argv[1], random.Random(20)
        if sys.argv[2] == "named": del os.O_TMPFILE
        publish_bytes(path, [bytes(300_000)])
        for number in range(200):
            child = os.fork()
            if not child:
                while True:
                    publish_bytes(path, [bytes([number % 255 + 1]) * 1000] * 300)
            time.sleep(moments.random() / 50)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            contents = open(path, "rb").read()
            assert len(contents) == 300_000 and contents == contents[:1] * 300_000, number
        """,
        str(tmp_path / "x"),
        route,
    )
    left = [name for name in os.listdir(os.fsencode(tmp_path)) if name != b"x"]
    assert len(left) <= 200
    assert all(map(is_temporary, left))

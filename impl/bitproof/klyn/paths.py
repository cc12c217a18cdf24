"""Which paths the Klyn API takes: the suffix `.knn` in any case, or none; a file's content has no say in it."""

from __future__ import annotations

import os

from bitproof.paths import FilePathLike, escape_path, path_bytes


def checked(path: FilePathLike) -> FilePathLike:
    """The path as given, once its last component is one that a KNN file may have; nothing in it is expanded.

    TypeError for what is no path (a descriptor, None); FileNotFoundError when it is empty; ValueError for a suffix
    other than `.knn`, for a trailing dot, for a path that ends at a separator, and for text that no name can be.
    """
    last = os.path.basename(os.fsdecode(path_bytes(path)))
    if not last:
        raise ValueError(f"{escape_path(path)}: a path to a file ends with the file's name")
    dot = last.rfind(".")
    suffix = last[dot:] if dot > 0 else ""  # a leading dot marks a hidden file, not a suffix
    if suffix.lower() not in ("", ".knn"):
        raise ValueError(f"{escape_path(path)}: a KNN file has the suffix .knn or none, not {escape_path(suffix)}")
    return path

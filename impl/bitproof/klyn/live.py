"""What a live model is as an object: one that isn't copied or pickled, and isn't loaded into by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, SupportsIndex

if TYPE_CHECKING:  # a type checker knows class methods by this one name
    class_only = classmethod
else:
    from functools import wraps

    class class_only(classmethod):  # noqa: N801  # it is used as `classmethod` is
        """A class method that makes a new model, and raises TypeError when it is called on a model that exists."""

        def __get__(self, instance, owner=None):
            """The bound method of a class; of an instance, a function that refuses every call."""
            if instance is None:
                return super().__get__(None, owner)
            name, cls = self.__func__.__name__, type(instance).__name__

            @wraps(self.__func__)
            def refuse(*_, **__):
                raise TypeError(f"{name} makes a new model and leaves this one: use load_weights, or {cls}.{name}")

            return refuse


class Live:
    """A base of what has a lock and tensors that its users hold: a copy would share the one or lose the other."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        """TypeError: `copy`, `pickle` and whatever uses them ask this first."""
        raise TypeError(f"a {type(self).__name__} is neither copied nor pickled: save it and load it")

"""The tutorial, run by `make demo`: train on real handwritten digits, save, check, resume in a new process, compare.

Needs the extra `demo`. Files go to `bitproof-demo/` in the current folder.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from bitproof.klyn import Adam, Conv2D, Dense, Dropout, Flatten, Float32, Input, MaxPooling2D, Sequential

Images: TypeAlias = NDArray[np.float32]
Classes: TypeAlias = NDArray[np.int64]

FOLDER = Path("bitproof-demo")
SCALE = 16  # pixels are 0 … 16. A model's file doesn't hold its data's scale: keep it where the data is prepared.
SEED = 7
EPOCHS_BEFORE, EPOCHS_AFTER = 12, 4


def digits() -> tuple[Images, Classes, Images, Classes]:
    """Training images, training classes, test images, test classes: 1,347 and 450 digits of 8 x 8 pixels."""
    bunch = load_digits()
    images = (bunch.images[..., None] / SCALE).astype(np.float32)
    order = np.random.default_rng(SEED).permutation(len(images))
    images, classes = images[order], bunch.target[order]
    return images[:1347], classes[:1347], images[1347:], classes[1347:]


def fresh() -> Sequential[Float32]:
    """A small convolutional network."""
    model = Sequential[Float32](
        [
            Input((8, 8, 1)),
            Conv2D(24, 3, padding="same", activation="relu", seed=1),
            MaxPooling2D(2),
            Dropout(0.1, seed=2),
            Flatten(),
            Dense(10, activation="softmax", seed=3),
        ]
    )
    model.compile(optimizer=Adam(learning_rate=0.004))
    return model


def main() -> int:
    """Run the whole story; exit status 0 when every step ended as it should."""
    FOLDER.mkdir(exist_ok=True)
    x, y, test_x, test_y = digits()

    say("1. Train on 1,347 handwritten digits, and save in the middle")
    model = fresh()
    model.summary()
    model.fit(x, y, epochs=EPOCHS_BEFORE, seed=SEED)
    model.save(FOLDER / "digits.knn")
    found = model.evaluate(test_x, test_y)
    print(f"test accuracy on 450 others: {found.accuracy:.1%}")

    say("2. Check the file, and look inside")
    good = bitproof("check", "digits.knn") == 0
    bitproof("inspect", "digits.knn")

    say("3. Go on training here; resume from the file in a new process; compare bit for bit")
    model.fit(x, y, epochs=EPOCHS_AFTER, seed=SEED)
    model.save(FOLDER / "straight.knn")
    subprocess.run([sys.executable, "-m", "bitproof.demo", "resume"], check=True)
    same = bitproof("diff", "straight.knn", "resumed.knn") == 0
    print("the run that stopped and resumed equals the one that didn't, to the last bit" if same else "they differ")

    say("4. Damage one bit")
    damaged = bytearray((FOLDER / "digits.knn").read_bytes())
    damaged[-5] ^= 0x10
    (FOLDER / "damaged.knn").write_bytes(damaged)
    caught = bitproof("check", "damaged.knn") == 1
    return 0 if good and same and caught and (found.accuracy or 0) >= 0.95 else 1


def resume() -> int:
    """What the new process does: load, train on, save."""
    x, y, _, _ = digits()
    model = Sequential[Float32].load(FOLDER / "digits.knn")
    model.fit(x, y, epochs=EPOCHS_AFTER, seed=SEED, verbose=0)
    model.save(FOLDER / "resumed.knn")
    return 0


def bitproof(command: str, *names: str) -> int:
    """Run the command line as a user would; its exit status."""
    print(f"$ bitproof {command} {' '.join(names)}", flush=True)
    return subprocess.run([sys.executable, "-m", "bitproof", command, *names], cwd=FOLDER, check=False).returncode


def say(heading: str) -> None:
    """A heading with room above it."""
    print(f"\n{heading}\n", flush=True)


if __name__ == "__main__":
    sys.exit(resume() if sys.argv[1:] == ["resume"] else main())

"""Devices: chosen by name, never in a file, parameters the same objects; and with CUDA, the same laws there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import SGD, Adam, Dense, Device, Float32, Input, Sequential, read
from bitproof_spec.document import Block
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import ADAM, SGD_WITH_ALL, image_data, images, owe_same, train

EACH = pytest.mark.parametrize("precision", PRECISIONS)
PRESENT = torch.cuda.is_available()
cuda = pytest.mark.skipif(not PRESENT, reason="needs a CUDA device")
AUTO = "cuda" if PRESENT else "cpu"
Model = Sequential[Any]


def places(model: Model) -> set[str]:
    """Where a model's tensors lie, training tensors included."""
    state = model._training
    owned = [*model.parameters.values(), *(state.tensors.values() if state else ())]
    return {tensor.device.type for tensor in owned}


@EACH
def test_a_device_is_never_in_a_file_and_a_loaded_model_is_on_auto(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    model.save(tmp_path / "auto.knn")
    model.to(Device.cpu)
    assert places(model) == {"cpu"}
    model.save(tmp_path / "cpu.knn")
    assert (tmp_path / "auto.knn").read_bytes() == (tmp_path / "cpu.knn").read_bytes()
    assert places(Sequential[precision].load(tmp_path / "cpu.knn")) == {AUTO}


def test_moving_a_model_keeps_its_parameters_the_same_objects_with_the_same_bits() -> None:
    model = images(Float32)
    train(model)
    held, document = model.parameters, model.capture()
    for device in (Device.cpu, Device.auto, Device.cpu):
        model.to(device)
        assert all(model.parameters[id] is tensor for id, tensor in held.items())
    owe_same(document, model.capture())


def test_an_unbuilt_model_builds_where_it_was_sent() -> None:
    model = Sequential[Float32]([Dense(2)])
    model.to(Device.cpu)
    model.compile("adam", "mean_squared_error")
    model.fit(np.ones((2, 3)), np.ones((2, 2)), verbose=0)
    assert places(model) == {"cpu"}


@pytest.mark.parametrize("wrong", ["cpu", torch.device("cpu"), None, 0])
def test_what_is_no_device_is_refused_by_name(wrong: Any) -> None:
    model = images(Float32)
    with pytest.raises(TypeError, match=r"Device\.cpu, Device\.cuda or Device\.auto, not"):
        model.to(wrong)
    train(model)


@pytest.mark.skipif(PRESENT, reason="there is a CUDA device")
def test_cuda_where_there_is_none_is_refused_and_the_model_stays_where_it_was() -> None:
    model = images(Float32)
    with pytest.raises(RuntimeError, match=r"Device\.cuda: there is no CUDA device"):
        model.to(Device.cuda)
    assert places(model) == {"cpu"}
    train(model)


@cuda
@EACH
@pytest.mark.parametrize("optimizer", [ADAM, SGD_WITH_ALL], ids=["adam", "nesterov"])
def test_the_resume_law_holds_on_cuda(precision: Any, optimizer: SGD | Adam, tmp_path: Path) -> None:
    straight, stopped = images(precision, optimizer), images(precision, optimizer)
    for model in (straight, stopped):
        model.to(Device.cuda)
        train(model, 3)
    stopped.save(tmp_path / "m.knn")
    resumed: Model = Sequential[precision].load(tmp_path / "m.knn")
    assert places(resumed) == {"cuda"}
    for model in (straight, stopped, resumed):
        train(model, 2)
    owe_same(straight.capture(), resumed.capture())
    owe_same(straight.capture(), stopped.capture())
    prediction = resumed.predict(image_data()[0])
    assert prediction.device.type == "cuda"
    assert words(prediction.cpu()) == words(straight.predict(image_data()[0]).cpu())


@cuda
@EACH
def test_k_r22_files_cross_between_devices_and_host_state_stays_on_the_host(precision: Any, tmp_path: Path) -> None:
    for source, target in ((Device.cpu, Device.cuda), (Device.cuda, Device.cpu)):
        model = images(precision)
        model.to(source)
        train(model, 2)
        model.save(tmp_path / "m.knn")
        loaded: Model = Sequential[precision].load(tmp_path / "m.knn")
        loaded.to(target)
        assert places(loaded) == {target.value}
        owe_same(model.capture(), loaded.capture())
        live = images(precision)
        live.to(target)
        live.load_weights(tmp_path / "m.knn")
        assert places(live) == {target.value}
        train(live)


@cuda
def test_k_b13_a_save_waits_for_the_work_that_is_queued_on_the_device(tmp_path: Path) -> None:
    model = Sequential[Float32]([Input((2**12,)), Dense(2**12, use_bias=False)])
    model.to(Device.cuda)
    kernel = model.parameters["dense_1/kernel"]
    busy = torch.rand(4096, 4096, device="cuda")
    for repeat in range(20):
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # another stream than a copy would wait for
            for _ in range(20):
                busy = busy @ busy
            kernel.fill_(float(repeat + 1))
        model.save(tmp_path / "m.knn", durable=False)
        block: Block = dict(read(tmp_path / "m.knn").tensors)["dense_1/kernel"]
        assert np.unique(np.frombuffer(block.data, np.float32)).tolist() == [repeat + 1.0]

"""A model's stages, shapes and training for a reader's eyes: as a table, and on one line."""

from __future__ import annotations

from bitproof.klyn.arguments import float_of
from bitproof.klyn.network import Network
from bitproof.klyn.precision import OF_FORMAT
from bitproof.klyn.training import TrainingState
from bitproof_spec.klyn.training import Adam

SHOWN = 5  # stages by name on a line


def summary(network: Network, training: TrainingState | None) -> None:
    """Print one line a stage: name, type, output shape and number of parameters; then totals and training."""
    from rich.console import Console  # here: only what draws needs it
    from rich.table import Table

    table = Table(title=f"Sequential[{OF_FORMAT[network.precision].__name__}]", title_justify="left")
    table.add_column("stage")
    table.add_column("type")
    table.add_column("output", justify="right")
    table.add_column("parameters", justify="right")
    for stage, shape in zip(network.declared, network.shapes, strict=True):
        own = sum(tensor.numel() for id, tensor in network.parameters.items() if id.startswith(f"{stage.name}/"))
        table.add_row(stage.name, stage.type, " × ".join(map(str, shape)), f"{own:,}" if own else "")
    console = Console(highlight=False)
    console.print(table)
    held = network.parameters.values()
    size = sum(tensor.numel() * tensor.element_size() for tensor in held)
    console.print(f"{sum(tensor.numel() for tensor in held):,} parameters, {size:,} bytes")
    console.print(_training(training) if training else "not compiled")


def line(network: Network | None, given: int, training: TrainingState | None) -> str:
    """Stages, the first few by name, and optimizer and step; of an unbuilt model, how many stages were `given`."""
    count = len(network.declared) if network else given
    first = [stage.name for stage in network.declared[:SHOWN]] if network else []
    names = f" ({', '.join([*first, '…'] if count > SHOWN else first)})" if first else ", not built"
    state = f"compiled: {training.optimizer.type}, step {training.step}" if training else "not compiled"
    return f"{count} stage{'s' * (count != 1)}{names}, {state}"


def _training(state: TrainingState) -> str:
    optimizer = state.optimizer
    settings: dict[str, object] = {"learning_rate": float_of(optimizer.learning_rate)}
    if isinstance(optimizer, Adam):
        settings |= {name: float_of(getattr(optimizer, name)) for name in ("beta1", "beta2", "epsilon")}
    else:
        settings |= {"momentum": float_of(optimizer.momentum), "nesterov": optimizer.nesterov}
    shown = ", ".join(f"{name}={value}" for name, value in settings.items())
    scale = f", loss scale {float_of(state.loss_scale.scale):g}" if state.loss_scale else ""
    return f"{optimizer.type}({shown}), {state.loss}, step {state.step}{scale}"

"""A scene: one Score on the real simulator, with one orchestration and kernel.

Run it with a simpler that is installed:

    python test_scene.py -p a2a3sim --enable-dep-gen --enable-chip-swimlane

score.txt is the program as a table, schedules.txt has the cases, expected.bin
what the run in program order leaves behind. Each case writes what it left
behind to out/NAME.bin, and the records of its run beside it.

Written by counterpoint; docs/scene.md says more.
"""

import ctypes
import shutil
from pathlib import Path

import torch
from simpler.task_interface import ArgDirection as D

from simpler_setup import SceneTestCase, TaskArgsBuilder, TensorArg, scene_test

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"
MODE, TASKS, STORAGES, WAITS = 0, 1, 4, 5
MARKS, MEMORY, WORDS, WINDOW = 7, 8, 9, 10
RECORDS = ("deps.json", "chip_swimlane_records.json")
CHUNK = 1 << 20


def numbers(name):
    """The lines of a table, as lists of integers; '#' begins a comment."""
    with open(HERE / name, encoding="ascii") as lines:
        for line in lines:
            line = line.partition("#")[0].split()
            if line:
                yield line


TABLE = [int(word) for line in numbers("score.txt") for word in line]
SCHEDULES = {line[0]: [int(word) for word in line[1:]] for line in numbers("schedules.txt")}
STORAGE = [TABLE[at : at + 4] for at in range(TABLE[STORAGES], TABLE[WAITS], 6)]


def case(name):
    config = {"runtime_env": {"ring_task_window": TABLE[WINDOW]}} if TABLE[WINDOW] else {}
    return {"name": name, "platforms": ["a2a3sim"], "config": config, "params": {"name": name}}


def fill(memory):
    """What the storages hold at the start: a pattern by storage and byte."""
    memory.fill_(0xA5)
    for index, (place, size, init, _) in enumerate(STORAGE):
        for begin in range(0, size if init else 0, CHUNK):
            end = min(size, begin + CHUNK)
            at = torch.arange(begin, end, dtype=torch.int64)
            value = ((at + 7919 * index + 1) * 2654435761) >> 13
            memory[place + begin : place + end] = (value & 255).to(torch.uint8)


def left(scene):
    """The bytes of expected.bin, of this run: marks, then what is the caller's."""
    memory = scene[TABLE[MEMORY] :].view(torch.uint8)
    marks = TABLE[MARKS] + 1
    parts = [scene[marks : marks + 2 * TABLE[TASKS]].view(torch.uint8)]
    parts += [memory[place : place + size] for place, size, _, external in STORAGE if external]
    all_parts = torch.cat(parts).contiguous()
    return ctypes.string_at(all_parts.data_ptr(), all_parts.numel())


def first_difference(got, want):
    """Where two byte strings of one length part; None: nowhere."""
    for begin in range(0, len(want), CHUNK):
        end = min(len(want), begin + CHUNK)
        if got[begin:end] != want[begin:end]:
            return next(at for at in range(begin, end) if got[at] != want[at])
    return None


@scene_test(level=2, runtime="host_build_graph")
class TestScene(SceneTestCase):
    RTOL = 0
    ATOL = 0
    CALLABLE = {
        "orchestration": {
            "source": "kernels/scene_orchestration.cpp",
            "function_name": "aicpu_orchestration_entry",
            "signature": [D.INOUT],
        },
        "incores": [
            {
                "func_id": index,
                "name": "scene_" + core,
                "source": "kernels/scene_kernel.cpp",
                "core_type": core,
                "signature": [],
            }
            for index, core in enumerate(("aic", "aiv"))
        ],
    }
    CASES = [case(name) for name in SCHEDULES]
    records = ""

    def _build_config(self, *args, **kwargs):
        config = super()._build_config(*args, **kwargs)
        self.records = kwargs.get("output_prefix", "")
        return config

    def generate_args(self, params):
        mode, *waits = SCHEDULES[params["name"]]
        scene = torch.zeros(TABLE[WORDS], dtype=torch.int64)
        scene[: len(TABLE)] = torch.tensor(TABLE, dtype=torch.int64)
        scene[MODE] = mode
        for task, kind, value in zip(waits[0::3], waits[1::3], waits[2::3]):
            scene[TABLE[WAITS] + 2 * task] = kind
            scene[TABLE[WAITS] + 2 * task + 1] = value
        fill(scene[TABLE[MEMORY] :].view(torch.uint8))
        return TaskArgsBuilder(TensorArg("scene", scene))

    def compute_golden(self, args, params):
        pass

    def compare_outputs(self, test_args, golden_args, output_names, params):
        OUT.mkdir(exist_ok=True)
        name = params["name"]
        got = left(test_args.scene)
        for record in RECORDS if self.records else ():
            if (Path(self.records) / record).exists():
                shutil.copyfile(Path(self.records) / record, OUT / (name + "." + record))
        (OUT / (name + ".bin")).write_bytes(got)
        want = (HERE / "expected.bin").read_bytes()
        assert len(got) == len(want), "another number of bytes than expected"
        at = first_difference(got, want)
        assert at is None, f"other bytes from {at} of {name}.bin on"


if __name__ == "__main__":
    SceneTestCase.run_module(__name__)

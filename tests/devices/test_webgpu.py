"""The device `webgpu`, with a package `wgpu` that is made here."""

import pytest

from synth.inspecting.listing import listed, shown

#: A package with devices that end every launch at once.
WGPU = """
from unittest.mock import MagicMock
__version__ = "1.2.3"
BufferUsage = MagicMock(STORAGE=1, COPY_SRC=2, COPY_DST=4)
gpu = MagicMock()
infos = [{{"device": name, "description": "", "backend_type": "Vulkan"}} for name in {names!r}]
adapters = [MagicMock(info=info) for info in infos]
for adapter in adapters:
    queue = adapter.request_device_sync.return_value.queue
    queue.read_buffer.return_value.cast.return_value.tolist.return_value = [2]
gpu.enumerate_adapters_sync.return_value = adapters
"""


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A function that puts a package with devices of some names first on the path."""

    def put(*names):
        (tmp_path / "wgpu.py").write_text(WGPU.format(names=names), "utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr("importlib.util.find_spec", lambda _: True)

    return put


def test_each_of_several_devices_is_listed_under_a_name_that_chooses_it(there):
    there("Card 4090", "Card 3080")
    found = listed(["webgpu"], lambda *_: None)
    assert [(one.name, one.driver, one.problem) for one in found] == [
        ("webgpu:Card 4090", "Card 4090, Vulkan, wgpu 1.2.3", ""),
        ("webgpu:Card 3080", "Card 3080, Vulkan, wgpu 1.2.3", ""),
    ]
    for one in found:
        assert shown(one.name).line["driver"] == one.driver


def test_the_only_device_has_the_name_of_its_kind_and_none_is_said_to_be_missing(there):
    there("Card 4090")
    assert [one.name for one in listed(["webgpu"], lambda *_: None)] == ["webgpu"]
    there()
    (none,) = listed(["webgpu"], lambda *_: None)
    assert (none.name, none.driver) == ("webgpu", "")
    assert none.problem.startswith("found no device with a driver that wgpu can use")

"""The device `webgpu`, with a package `wgpu` that is made here."""

import pytest

import campaigns
from quick import mostly_full
from synth_checker.errors import InputError, ResourceError
from synth_devices.device_list import list_devices, show_device

#: A package with devices that end every launch at once. Each has a name and an interface.
WGPU = """
from unittest.mock import MagicMock
__version__ = "1.2.3"
BufferUsage = MagicMock(STORAGE=1, COPY_SRC=2, COPY_DST=4)
gpu = MagicMock()
infos = [{{"device": name, "description": "", "backend_type": api}} for name, api in {names!r}]
adapters = [MagicMock(info=info) for info in infos]
for adapter in adapters:
    queue = adapter.request_device_sync.return_value.queue
    queue.read_buffer.return_value.cast.return_value.tolist.return_value = [2]
gpu.enumerate_adapters_sync.return_value = adapters
"""


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A function that puts a package first on the path, with devices of some names, through Vulkan if none is said."""

    def put(*names):
        pairs = [(name, "Vulkan") if isinstance(name, str) else name for name in names]
        (tmp_path / "wgpu.py").write_text(WGPU.format(names=pairs), "utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr("importlib.util.find_spec", lambda _: True)

    return put


@pytest.mark.full
def test_each_of_several_devices_is_listed_under_a_name_that_chooses_it(there):
    there("Card 4090", "Card 3080")
    found = list_devices(["webgpu"], lambda *_: None)
    assert [(device.device, device.driver, device.problem) for device in found] == [
        ("webgpu:Card 4090", "Card 4090, Vulkan, wgpu 1.2.3", ""),
        ("webgpu:Card 3080", "Card 3080, Vulkan, wgpu 1.2.3", ""),
    ]
    for listed_device in found:
        assert show_device(listed_device.device).driver == listed_device.driver


@pytest.mark.full
def test_the_only_device_has_the_name_of_its_kind_and_none_is_said_to_be_missing(there):
    there("Card 4090")
    assert [device.device for device in list_devices(["webgpu"], lambda *_: None)] == ["webgpu"]
    there()
    (none,) = list_devices(["webgpu"], lambda *_: None)
    assert (none.device, none.driver) == ("webgpu", "")
    assert none.problem.startswith("found no device with a driver that wgpu can use")


TWICE = (("Card 4090", "Vulkan"), ("Card 4090", "OpenGL"))


@pytest.mark.full
@mostly_full("name", ["webgpu", "webgpu:Card"])
def test_a_name_that_several_devices_fit_is_refused_with_their_lines(there, name):
    there(*TWICE)
    with pytest.raises(InputError) as refused:
        show_device(name)
    assert str(refused.value) == (
        f"device {name}: found 2 that fit: Card 4090, Vulkan, wgpu 1.2.3; Card 4090, OpenGL, wgpu 1.2.3; "
        "expected one: write webgpu:TEXT with a text that only one of these lines has, or with its UUID"
    )


@pytest.mark.full
def test_a_name_that_no_device_fits_is_refused_with_their_lines(there):
    there(*TWICE)
    with pytest.raises(ResourceError, match=r"found Card 4090, Vulkan, wgpu 1\.2\.3; Card 4090, OpenGL.*'Metal'"):
        show_device("webgpu:Metal")


@pytest.mark.full
def test_a_gpu_through_two_interfaces_is_two_devices(there):
    there(*TWICE)
    assert show_device("webgpu:OpenGL").driver == "Card 4090, OpenGL, wgpu 1.2.3"
    found = list_devices(["webgpu"], lambda *_: None)
    assert [device.device for device in found] == [f"webgpu:{device.driver}" for device in found]
    assert [show_device(device.device).driver for device in found] == [device.driver for device in found]


@pytest.mark.full
def test_a_line_chooses_its_device_even_if_another_line_contains_it(there):
    there("Card 4090", "A Card 4090")
    assert show_device("webgpu:Card 4090, Vulkan, wgpu 1.2.3").driver == "Card 4090, Vulkan, wgpu 1.2.3"


@pytest.mark.full
def test_a_campaign_on_one_of_several_devices_is_refused(there, tmp_path):
    there(*TWICE)
    with pytest.raises(InputError, match="device webgpu: found 2 that fit"):
        campaigns.run(tmp_path / "c", campaigns.settings("webgpu", ["0011"]))
    assert campaigns.rows(tmp_path / "c", "SELECT count(*) FROM launch") == [(0,)]


@pytest.mark.full
def test_a_campaign_takes_the_same_gpu_through_another_interface_for_another_device(there, tmp_path):
    there(TWICE[0])
    asked = campaigns.settings("webgpu", ["0011", "0010"])
    campaigns.run(tmp_path / "c", asked, campaigns.Watcher(0))
    there(TWICE[1])
    aside = campaigns.run(tmp_path / "c").aside
    assert aside == {
        "webgpu": "the device says that it is 'Card 4090, OpenGL, wgpu 1.2.3', "
        "expected 'Card 4090, Vulkan, wgpu 1.2.3' as before"
    }

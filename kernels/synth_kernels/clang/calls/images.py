"""Images of OpenCL C. What a thread reads from one is arbitrary, and a write to a pixel is an access to an array.

The number of a pixel has 16 bits for each coordinate, so the proof takes for granted that no image is wider or higher
than that. As the language says, a write outside the image is undefined, so it is assumed not to happen. Images that a
kernel may both read and write have no model here, and neither have images with three coordinates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.clang.arithmetic import join_lanes
from synth_kernels.clang.mangled_names import plain_name_and_codes
from synth_kernels.program import ID_WIDTH, Access, Constant, KernelClaim

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction

#: The bits of a pixel, and of a coordinate of an image with two.
PIXEL, COORDINATE = 128, 16
#: The image with its coordinates, whether the kernel may read it, too, and whether the write has a level of detail.
_WRITTEN = re.compile(r"\d+ocl_image(1d|2d|3d)\w*?(_array)?\w*?_(wo|rw)(?:Dv\d+_)?i(i?)")


def find(name: str, _codes: str) -> Handler | None:
    """Return what translates a function of images, apart from those that only read."""
    return _write if name.startswith("write_image") else None


def _write(frame: Frame, call: IrInstruction) -> Lowered:
    _, codes = plain_name_and_codes(call.detail)
    match = _WRITTEN.match(codes)
    image, where, value = call.operands[0], frame.lanes(call.operands[1]), frame.lanes(call.operands[-1])
    if match is None or match[4] or image.kind != "local":
        frame.unsupported("a write to an image of this kind")
    if match[3] == "rw":
        frame.unsupported("writes to images that the kernel may read, too")
    count = {"1d": 1, "2d": 2, "3d": 3}[match[1]] + bool(match[2])
    if count > 2:
        frame.unsupported("writes to images with three coordinates")
    emit = frame.emit
    coordinates = [emit.compute("zext", (coordinate,), "pixel", ID_WIDTH) for coordinate in where[:count]]
    pixel = coordinates[0]
    if count == 2:
        for coordinate in coordinates:
            emit.add(
                KernelClaim("assume", emit.compute("ult", (coordinate, Constant(1 << COORDINATE, ID_WIDTH)), "inside"))
            )
        row = emit.compute("mul", (coordinates[1], Constant(1 << COORDINATE, ID_WIDTH)), "row")
        pixel = emit.compute("add", (row, pixel), "pixel")
    bits = emit.compute("zext", (join_lanes(frame, value, "stored"),), "stored", PIXEL)
    emit.add(Access("write", frame.image(image.name), pixel, PIXEL, value=bits))
    return ()

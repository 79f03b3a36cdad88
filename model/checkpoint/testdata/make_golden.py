#!/usr/bin/python3
"""Writes golden.safetensors from the specification alone, with NumPy 1.24 and no safetensors library.

    /usr/bin/python3 make_golden.py golden.safetensors

The header names the tensors in another order than the data and is padded to an odd length.
"""

import json
import struct
import sys

import numpy as np

weight = (np.arange(6, dtype="<f4").reshape(2, 3) - 2.5) / 3
bias = np.array(-0.0, dtype="<f4")
empty = np.zeros((0, 4), dtype="<f4")
ids = np.array([1, -(2**62)], dtype="<i8")
half = np.array([1.5, -65504, 6e-8], dtype="<f2")

data = b""
entries = {}
for name, dtype, array in [
    ("position_ids", "I64", ids),
    ("layer.weight", "F32", weight),
    ("layer.bias", "F32", bias),
    ("empty", "F32", empty),
    ("half", "F16", half),
]:
    begin = len(data)
    data += array.tobytes()
    entries[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [begin, len(data)]}

header = {name: entries[name] for name in sorted(entries)}
header["__metadata__"] = {"format": "pt", "note": "gr\u00fc\u00df"}
text = json.dumps(header).encode() + b"  "
text += b" " * (1 - len(text) % 2)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)

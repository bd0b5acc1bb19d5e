#!/usr/bin/env python3
"""Writes the reference tables of vector waves, their fields and the coefficients between them, in ball arithmetic (Arb
through python-flint, with 70 bits right), seeded: a rerun writes the same bytes.

usage: make_wave_reference.py FOLDER [MULTIPLE]

FOLDER/<group>.txt holds values, FOLDER/<group>_diff.txt derivatives by one input: central differences of steps 2^-100.
A line: name, number of labels, labels, number of inputs, their parts, in _diff the input's number, then for each output
re im e, a value of (re + i im) 2^e. Sums that may cancel also have their largest term as a second output. MULTIPLE (default 1) times as many points: tests/golden/waves has the tables for 1,
docs/vector-waves.md the errors for 10."""
import sys
from pathlib import Path

from flint import acb, arb, ctx

import draws
import waves

# group: {function: (points for values, points for derivatives)}; derivatives of all inputs
GROUPS = {
    "single": {"vsh": (120, 20), "vsw": (260, 40), "vcw": (160, 30), "vpw": (80, 12)},
    "field": {"field": (260, 40), "field_sum": (100, 25), "plane_field": (30, 12)},
    "translation": {"tl_vsw": (260, 0), "sw_translate": (60, 40), "sw_displace": (260, 40), "tl_vcw": (80, 20),
                    "cw_displace": (80, 20), "sw_rotate": (100, 20)},
    "plane": {"pw_to_sw": (120, 20), "pw_to_cw": (50, 8), "cw_to_sw": (100, 20), "sw_to_pw": (80, 0), "sw_to_cw": (80, 20),
              "cw_to_pw": (40, 0), "pw_permute": (60, 20), "sw_channel": (60, 15), "cw_channel": (40, 10)},
}
BITS, MOST = 70, 16384
STEP = 100


def accuracy(values):
    """Bits that are right, of the largest value."""
    size = max(abs(v).mid() for v in values)
    error = max(abs(part.rad()) for v in values for part in (v.real, v.imag))
    if error == 0:
        return MOST
    if not size > error:
        return 0
    return int(float((size / error).log().mid()) / 0.6931471805599453)


def shifted(inputs, index, side):
    """One input moved by 2^-100 of itself."""
    x = [acb(re, im) for re, im in inputs]
    size = max(abs(inputs[index][0]), abs(inputs[index][1])) or 1.0
    step = arb(size) / arb(2) ** STEP
    x[index] += side * step
    return x, step


def value_of(function, labels, inputs, index):
    if index is None:
        return function(labels, [acb(re, im) for re, im in inputs])
    (up, step), (down, _) = shifted(inputs, index, 1), shifted(inputs, index, -1)
    above, below = function(labels, up), function(labels, down)
    if function.__name__ in waves.WITH_TERMS:
        above, below = above[:1], below[:1]
    differences = [acb(a - b) for a, b in zip(above, below)]
    if ctx.prec > 512 and all(d.abs_upper() <= acb(a).abs_lower() * arb(2) ** -400 for d, a in zip(differences, above)):
        return [acb(0)] * len(above) # no function of this input: any other differs by about 2^-100
    return [d / (2 * step) for d in differences]


def right_value(function, labels, inputs, index):
    """None where the precision does not suffice."""
    ctx.prec = 256 if index is None else 512
    while ctx.prec <= MOST:
        out = [acb(v) for v in value_of(function, labels, inputs, index)]
        if index is not None or function.__name__ not in waves.WITH_TERMS:
            judged = out
        else:
            judged = out[:1]
        if all(v.is_finite() for v in out) and (accuracy(judged) >= BITS or all(v == 0 for v in judged)):
            return out
        ctx.prec *= 2
    return None


def power_of(part):
    mantissa, exponent = part.mid().man_exp()
    return None if mantissa == 0 else abs(int(mantissa)).bit_length() + int(exponent)


def number(part, e):
    mantissa, exponent = (int(v) for v in part.mid().man_exp())
    shift = max(0, abs(mantissa).bit_length() - 120) # far beyond what is rounded
    mantissa = (abs(mantissa) >> shift) * (1 if mantissa > 0 else -1)
    power = exponent + shift - e
    value = mantissa / 2**-power if power < 0 else float(mantissa * 2**power)
    return short(value)


def short(value):
    return "0" if value == 0.0 else repr(value) if len(repr(value)) <= 8 else float.hex(value)


def output(v):
    powers = [p for p in (power_of(v.real), power_of(v.imag)) if p is not None]
    e = max(powers, default=0)
    return [number(v.real, e), number(v.imag, e), e]


def lines(name, count, differentiate):
    function, draw = getattr(waves, name), getattr(draws, name)
    draws.state.seed(f"{name}{' diff' if differentiate else ''}")
    for _ in range(count):
        labels, inputs = draw(not differentiate)
        head = [name, len(labels), *labels, len(inputs), *(short(part) for pair in inputs for part in pair)]
        for index in range(len(inputs)) if differentiate else [None]:
            out = right_value(function, labels, inputs, index)
            if out is None:
                print("left out:", *head, file=sys.stderr)
                continue
            middle = [] if index is None else [index]
            yield " ".join(map(str, head + middle + [word for v in out for word in output(v)]))


def main():
    folder, multiple = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for group, functions in GROUPS.items():
        for which in (0, 1):
            path = folder / f"{group}{'_diff' if which else ''}.txt"
            with path.open("w") as file:
                file.write("# Written by tools/wave_reference/make_wave_reference.py, which says what a line holds.\n")
                for name, counts in functions.items():
                    for line in lines(name, multiple * counts[which], which == 1):
                        file.write(line + "\n")


main()

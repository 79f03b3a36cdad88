#!/usr/bin/python3
"""Writes adam_golden.txt: Adam in double precision, from the formulas of the papers.

Run with NumPy 1.24:  /usr/bin/python3 make_adam_golden.py > adam_golden.txt

Several steps on 19 elements whose gradients span many magnitudes. All inputs are FP32 numbers.
A case is a header line and one line an element:
    case NAME beta1 beta2 epsilon weight_decay bias_correction learning_rate multiplier
         first_update steps
    w m v decays(0/1) gradient_sum_of_each_step... final_w final_m final_v
"""

import numpy as np

ELEMENTS = 19

CASES = [
    # name, beta1, beta2, epsilon, decay, corrected, rate, multiplier, first update, steps
    ("pytorch_adam", 0.9, 0.999, 1e-8, 0.0, 1, 3e-3, 1.0, 1, 5),
    ("pytorch_adamw", 0.9, 0.999, 1e-8, 0.01, 1, 1e-3, 0.03125, 1, 5),
    ("google_bert", 0.9, 0.999, 1e-6, 0.01, 0, 1e-4, 0.0078125, 1, 5),
    ("late", 0.9, 0.999, 1e-8, 0.0, 1, 5e-4, 0.25, 20000, 3),
    ("no_memory", 0.0, 0.5, 1e-3, 0.1, 1, 0.5, 1.0, 1, 2),
]


def run(rng, beta1, beta2, epsilon, decay, corrected, rate, multiplier, first, steps):
    rate = np.float64(np.float32(rate))
    w = rng.normal(size=ELEMENTS).astype(np.float32).astype(np.float64)
    late = first > 1
    m = (0.1 * rng.normal(size=ELEMENTS) * late).astype(np.float32).astype(np.float64)
    v = (rng.uniform(0.01, 1, size=ELEMENTS) * late).astype(np.float32).astype(np.float64)
    decays = (np.arange(ELEMENTS) % 7 < 4).astype(int)
    size = 10.0 ** rng.uniform(-6, 4, size=ELEMENTS)
    sums = (rng.normal(size=(steps, ELEMENTS)) * size).astype(np.float32).astype(np.float64)
    sums[:, 5] = 0
    start = (w.copy(), m.copy(), v.copy())
    for k in range(steps):
        t = first + k
        g = sums[k] * multiplier
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        m_hat = m / (1 - beta1**t) if corrected else m
        v_hat = v / (1 - beta2**t) if corrected else v
        w = w - rate * (m_hat / (np.sqrt(v_hat) + epsilon) + decay * decays * w)
    return start, decays, sums, (w, m, v)


def main():
    rng = np.random.RandomState(20)
    for name, *settings in CASES:
        start, decays, sums, end = run(rng, *settings)
        print("case", name, *settings)
        for i in range(ELEMENTS):
            row = [x[i] for x in start] + [decays[i]] + list(sums[:, i]) + [x[i] for x in end]
            print(*(repr(float(x)) if not isinstance(x, np.integer) else int(x) for x in row))


main()

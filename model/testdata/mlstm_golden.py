"""Writes mlstm_golden.txt: a tiny byte mLSTM in double precision, written out by hand.

Run: /usr/bin/python3 mlstm_golden.py > mlstm_golden.txt      (Python 3.11.2, NumPy 1.24.2)

Three training steps of two windows each, state carried through all six, Adam (PyTorch's formula) on the
mean gradient. The hand-written backward pass is checked here against complex-step differentiation
(Squire and Trapp, 1998) of the loss, element by element, before anything is written.
"""

import numpy as np

H, E, B, T, V = 7, 3, 3, 4, 256
SHAPES = [
    ("embedding.weight", (V, E)),
    ("mlstm.wmx.g", (H,)), ("mlstm.wmx.v", (H, E)),
    ("mlstm.wx.g", (4 * H,)), ("mlstm.wx.v", (4 * H, E)),
    ("mlstm.wmh.g", (H,)), ("mlstm.wmh.v", (H, H)),
    ("mlstm.wh.g", (4 * H,)), ("mlstm.wh.v", (4 * H, H)),
    ("mlstm.bias", (4 * H,)),
    ("decoder.weight", (V, H)), ("decoder.bias", (V,)),
]
SIZE = sum(int(np.prod(s)) for _, s in SHAPES)
LENGTHS = [[4, 4, 4], [4, 2, 0]]
STEPS, RATE, BETA1, BETA2, EPSILON = 3, 0.01, 0.9, 0.999, 1e-8


def split(flat):
    out, at = {}, 0
    for name, shape in SHAPES:
        n = int(np.prod(shape))
        out[name] = flat[at:at + n].reshape(shape)
        at += n
    return out


def norms(v):
    return np.sqrt((v * v).sum(axis=1))  # not np.linalg.norm: this one is analytic


def effective(p, name):
    v = p[name + ".v"]
    return (p[name + ".g"] / norms(v))[:, None] * v


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def forward(flat, inputs, targets, lengths, h, c):
    """inputs, targets [T, B]; h, c [B, H]. Returns loss, h, c and what backward needs."""
    p = split(flat)
    wx, wh = effective(p, "mlstm.wx"), effective(p, "mlstm.wh")
    wmx, wmh = effective(p, "mlstm.wmx"), effective(p, "mlstm.wmh")
    loss, tape = 0, []
    for t in range(T):
        active = (t < lengths)[:, None]
        x = p["embedding.weight"][inputs[t]]
        a, q = x @ wmx.T, h @ wmh.T
        m = a * q
        z = x @ wx.T + m @ wh.T + p["mlstm.bias"]
        i, f, o = (sigmoid(z[:, k * H:(k + 1) * H]) for k in range(3))
        u = np.tanh(z[:, 3 * H:])
        c_new = np.where(active, f * c + i * u, c)
        h_new = np.where(active, o * np.tanh(c_new), h)
        logits = h_new @ p["decoder.weight"].T + p["decoder.bias"]
        logits = logits - logits.real.max(axis=1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        loss = loss - (log_p[np.arange(B), targets[t]] * active[:, 0]).sum()
        tape.append((active, x, a, q, m, i, f, o, u, h, c, h_new, c_new, np.exp(log_p)))
        h, c = h_new, c_new
    return loss, h, c, tape


def backward(flat, inputs, targets, tape):
    p, grad = split(flat), np.zeros(SIZE)
    g = split(grad)
    w = {n: effective(p, "mlstm." + n) for n in ("wx", "wh", "wmx", "wmh")}
    dw = {n: np.zeros_like(w[n]) for n in w}
    dh, dc = np.zeros((B, H)), np.zeros((B, H))
    for t in reversed(range(T)):
        active, x, a, q, m, i, f, o, u, h0, c0, h1, c1, prob = tape[t]
        dlogits = prob.copy()
        dlogits[np.arange(B), targets[t]] -= 1
        dlogits *= active
        g["decoder.weight"] += dlogits.T @ h1
        g["decoder.bias"] += dlogits.sum(axis=0)
        dh = dh + dlogits @ p["decoder.weight"]
        tc = np.tanh(c1)
        d_cell = dc + dh * o * (1 - tc * tc)
        dz = np.concatenate([d_cell * u * i * (1 - i), d_cell * c0 * f * (1 - f),
                             dh * tc * o * (1 - o), d_cell * i * (1 - u * u)], axis=1) * active
        dm = dz @ w["wh"]
        da, dq = dm * q, dm * a
        dw["wx"] += dz.T @ x
        dw["wh"] += dz.T @ m
        dw["wmx"] += da.T @ x
        dw["wmh"] += dq.T @ h0
        g["mlstm.bias"] += dz.sum(axis=0)
        np.add.at(g["embedding.weight"], inputs[t], dz @ w["wx"] + da @ w["wmx"])
        dc = np.where(active, d_cell * f, dc)
        dh = np.where(active, dq @ w["wmh"], dh)
    for n in w:
        v, gain = p[f"mlstm.{n}.v"], p[f"mlstm.{n}.g"]
        norm = norms(v)
        dg = (dw[n] * v).sum(axis=1) / norm
        g[f"mlstm.{n}.g"] += dg
        g[f"mlstm.{n}.v"] += (gain / norm)[:, None] * (dw[n] - (dg / norm)[:, None] * v)
    return grad


def check(flat, grad, *window):
    step = 1e-30
    for k in range(SIZE):
        moved = flat.astype(complex)
        moved[k] += 1j * step
        exact = forward(moved, *window)[0].imag / step
        assert abs(exact - grad[k]) <= 1e-12 * (1 + abs(exact)), (k, exact, grad[k])


def show(name, values):
    values = np.asarray(values).ravel()
    print(name, values.size)
    for row in range(0, values.size, 8):
        print(" ".join(repr(v) for v in values[row:row + 8].tolist()))


def main():
    random = np.random.RandomState(20170417)
    flat = np.concatenate([random.normal(0, 1 if n[0] == "e" else 0.4, s).ravel() for n, s in SHAPES])
    flat = flat.astype(np.float32).astype(np.float64)
    text = random.randint(0, 256, (STEPS * 2 * T + 1, B))
    text[2] = text[1]  # a byte that comes twice
    show("weights", flat)
    show("text", text)
    show("lengths", LENGTHS)
    h, c = np.zeros((B, H)), np.zeros((B, H))
    m, s = np.zeros(SIZE), np.zeros(SIZE)
    losses, states = [], []
    for step in range(STEPS):
        grad = np.zeros(SIZE)
        for k, lengths in enumerate(LENGTHS):
            at = (2 * step + k) * T
            inputs, targets = text[at:at + T], text[at + 1:at + T + 1]
            window = (inputs, targets, np.array(lengths), h, c)
            loss, h, c, tape = forward(flat, *window)
            part = backward(flat, inputs, targets, tape)
            if step == 0:
                check(flat, part, *window)
            losses.append(loss)
            states += [h, c]
            grad += part
        if step == 0:
            show("gradient", grad)
        mean = grad / np.sum(LENGTHS)
        m = BETA1 * m + (1 - BETA1) * mean
        s = BETA2 * s + (1 - BETA2) * mean * mean
        root = np.sqrt(s) / np.sqrt(1 - BETA2 ** (step + 1)) + EPSILON
        flat = flat - RATE / (1 - BETA1 ** (step + 1)) * m / root
    show("losses", losses)
    show("states", states)
    show("after", flat)


main()

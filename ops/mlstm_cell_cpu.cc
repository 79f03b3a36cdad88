#include <algorithm>
#include <cstring>

#include "ops/mlstm_cell.h"
#include "ops/vector_math.h"

namespace tenor::cpu {
namespace {

// Each thread takes a range of units and walks the lanes, so sums over lanes keep their order
// whatever the number of threads, and a byte's table row is written by one thread at each unit.
// 16 floats are a cache line.
constexpr int64_t kUnitsAtOnce = 16;
// Fewer cells than this are not worth waking a thread for (some 5 microseconds).
constexpr int64_t kCellsWorthAThread = 2048;

template <typename Op>
struct Range {
  const Op* op;
  int64_t begin;  // units [begin, end)
  int64_t end;
};

template <typename Kernel, typename Op>
void ForUnits(Exec& exec, const Op& op, int64_t lanes, int64_t units) {
  const int64_t worth = (kCellsWorthAThread + lanes - 1) / lanes;
  const int64_t grain = (worth + kUnitsAtOnce - 1) / kUnitsAtOnce * kUnitsAtOnce;
  exec.pool().ParallelFor(0, units, grain, [&](int64_t begin, int64_t end) {
    RunFor<Kernel>(exec.isa(), Range<Op>{&op, begin, end});
  });
}

TENOR_KERNEL bool IsActive(const MlstmInput& input, int64_t lane) {
  return input.step < input.lengths[lane];
}

template <typename T>
TENOR_KERNEL T* RowOf(const MutableOperand& x, int64_t row) {
  return static_cast<T*>(x.data) + row * x.cols;
}

template <typename T>
struct MultiplyKernel {
  TENOR_KERNEL void Run(const Range<MlstmMultiply>& range) {
    const MlstmMultiply& op = *range.op;
    for (int64_t lane = 0; lane < op.p.rows; ++lane) {
      const float* table = op.table_m.Row(op.input.bytes[lane]);
      const float* p = op.p.Row(lane);
      T* m = RowOf<T>(op.m, lane);
      TENOR_INDEPENDENT_ITERATIONS
      for (int64_t j = range.begin; j < range.end; ++j) Store(table[j] * p[j], &m[j]);
    }
  }
};

template <typename T>
struct CellKernel {
  TENOR_KERNEL void Run(const Range<MlstmCell>& range) {
    const MlstmCell& op = *range.op;
    for (int64_t lane = 0; lane < op.c.rows; ++lane) {
      if (IsActive(op.input, lane)) {
        Row(op, lane, range.begin, range.end);
      } else {
        Keep(op, lane, range.begin, range.end);
      }
    }
  }

  TENOR_KERNEL void Row(const MlstmCell& op, int64_t lane, int64_t begin, int64_t end) {
    const int64_t units = op.c.cols;
    const float* zi = op.table_z.Row(op.input.bytes[lane]);
    const float *zf = zi + units, *zo = zf + units, *zu = zo + units;
    float* i = op.gates.Row(lane);
    float *f = i + units, *o = f + units, *u = o + units;
    const float* c_before = op.c_before.Row(lane);
    float* c = op.c.Row(lane);
    T* h = RowOf<T>(op.h, lane);
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t j = begin; j < end; ++j) {
      const float gate_i = FastSigmoid(i[j] + zi[j]);
      const float gate_f = FastSigmoid(f[j] + zf[j]);
      const float gate_o = FastSigmoid(o[j] + zo[j]);
      const float gate_u = FastTanh(u[j] + zu[j]);
      const float cell = gate_f * c_before[j] + gate_i * gate_u;
      i[j] = gate_i;
      f[j] = gate_f;
      o[j] = gate_o;
      u[j] = gate_u;
      c[j] = cell;
      Store(gate_o * FastTanh(cell), &h[j]);
    }
  }

  TENOR_KERNEL void Keep(const MlstmCell& op, int64_t lane, int64_t begin, int64_t end) {
    const T* h_before = static_cast<const T*>(op.h_before.data) + lane * op.h_before.row_stride;
    const size_t count = static_cast<size_t>(end - begin);
    std::memmove(op.c.Row(lane) + begin, op.c_before.Row(lane) + begin, count * sizeof(float));
    std::memmove(RowOf<T>(op.h, lane) + begin, h_before + begin, count * sizeof(T));
  }
};

template <typename T>
struct CellBackwardKernel {
  TENOR_KERNEL void Run(const Range<MlstmCellBackward>& range) {
    const MlstmCellBackward& op = *range.op;
    for (int64_t lane = 0; lane < op.c.rows; ++lane) {
      if (IsActive(op.input, lane)) {
        Row(op, lane, range.begin, range.end);
      } else {
        Clear(op, lane, range.begin, range.end);
      }
    }
  }

  TENOR_KERNEL void Row(const MlstmCellBackward& op, int64_t lane, int64_t begin, int64_t end) {
    const int64_t units = op.c.cols;
    const float* i = op.gates.Row(lane);
    const float *f = i + units, *o = f + units, *u = o + units;
    T* zi = RowOf<T>(op.dz, lane);
    T *zf = zi + units, *zo = zf + units, *zu = zo + units;
    float* ti = op.dtable_z.Row(op.input.bytes[lane]);
    float *tf = ti + units, *to = tf + units, *tu = to + units;
    const float* c_before = op.c_before.Row(lane);
    const float* c = op.c.Row(lane);
    const float* dh = op.dh.Row(lane);
    float* dc = op.dc.Row(lane);
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t j = begin; j < end; ++j) {
      const float gate_i = i[j], gate_f = f[j], gate_o = o[j], gate_u = u[j];
      const float tanh_c = FastTanh(c[j]);
      const float cell = dc[j] + dh[j] * gate_o * (1.0f - tanh_c * tanh_c);
      const float dzi = cell * gate_u * gate_i * (1.0f - gate_i);
      const float dzf = cell * c_before[j] * gate_f * (1.0f - gate_f);
      const float dzo = dh[j] * tanh_c * gate_o * (1.0f - gate_o);
      const float dzu = cell * gate_i * (1.0f - gate_u * gate_u);
      dc[j] = cell * gate_f;
      Store(dzi, &zi[j]);
      Store(dzf, &zf[j]);
      Store(dzo, &zo[j]);
      Store(dzu, &zu[j]);
      ti[j] += dzi;
      tf[j] += dzf;
      to[j] += dzo;
      tu[j] += dzu;
    }
  }

  TENOR_KERNEL void Clear(const MlstmCellBackward& op, int64_t lane, int64_t begin, int64_t end) {
    const int64_t units = op.c.cols;
    T* dz = RowOf<T>(op.dz, lane);
    for (int64_t gate = 0; gate < 4; ++gate) {
      std::fill(dz + gate * units + begin, dz + gate * units + end, T{});
    }
  }
};

template <typename T>
struct MultiplyBackwardKernel {
  TENOR_KERNEL void Run(const Range<MlstmMultiplyBackward>& range) {
    const MlstmMultiplyBackward& op = *range.op;
    for (int64_t lane = 0; lane < op.p.rows; ++lane) {
      const float* table = op.table_m.Row(op.input.bytes[lane]);
      float* dtable = op.dtable_m.Row(op.input.bytes[lane]);
      const float* p = op.p.Row(lane);
      const float* dm = op.dm.Row(lane);
      T* dp = RowOf<T>(op.dp, lane);
      // dm of an inactive lane is 0, since its dz is.
      TENOR_INDEPENDENT_ITERATIONS
      for (int64_t j = range.begin; j < range.end; ++j) {
        const float gradient = dm[j];
        dtable[j] += gradient * p[j];
        Store(gradient * table[j], &dp[j]);
      }
    }
  }
};

// Runs Kernel<T> where T is the element type of `output`.
template <template <typename> typename Kernel, typename Op>
void ForType(Exec& exec, const Op& op, const MutableOperand& output, int64_t lanes, int64_t units) {
  if (output.type == DataType::kFloat32) return ForUnits<Kernel<float>>(exec, op, lanes, units);
  ForUnits<Kernel<BFloat16>>(exec, op, lanes, units);
}

}  // namespace

void Run(Exec& exec, const MlstmMultiply& op) {
  ForType<MultiplyKernel>(exec, op, op.m, op.p.rows, op.p.cols);
}

void Run(Exec& exec, const MlstmCell& op) {
  ForType<CellKernel>(exec, op, op.h, op.c.rows, op.c.cols);
}

void Run(Exec& exec, const MlstmCellBackward& op) {
  ForType<CellBackwardKernel>(exec, op, op.dz, op.c.rows, op.c.cols);
}

void Run(Exec& exec, const MlstmMultiplyBackward& op) {
  ForType<MultiplyBackwardKernel>(exec, op, op.dp, op.p.rows, op.p.cols);
}

}  // namespace tenor::cpu

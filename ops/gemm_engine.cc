#include "ops/gemm_engine.h"

#include <utility>

// The one function of the OpenMP runtime that is needed; oneDNN has no call of its own for it.
extern "C" void omp_set_num_threads(int threads);

namespace tenor {
namespace {

dnnl::memory::data_type TypeOf(DataType type) {
  return type == DataType::kFloat32 ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16;
}

}  // namespace

GemmEngine::GemmEngine(int threads)
    : threads_(threads), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

void GemmEngine::SetThreads() { omp_set_num_threads(threads_); }

GemmEngine::Product& GemmEngine::Find(const Key& key) {
  auto found = products_.find(key);
  if (found == products_.end()) found = products_.emplace(key, Make(key)).first;
  return found->second;
}

GemmEngine::Product GemmEngine::Make(const Key& key) {
  using dnnl::memory;
  SetThreads();
  const memory::data_type type = TypeOf(key.type);
  const memory::desc a({key.m, key.k}, type, memory::dims{key.a_row, key.a_col});
  const memory::desc b =
      key.packed ? memory::desc({key.k, key.n}, type, memory::format_tag::any)
                 : memory::desc({key.k, key.n}, type, memory::dims{key.b_row, key.b_col});
  const memory::desc c({key.m, key.n}, memory::data_type::f32, memory::dims{key.c_row, 1});
  dnnl::primitive_attr attributes;
  if (key.output == Output::kAccumulate) {
    dnnl::post_ops sum;
    sum.append_sum(1.0f);
    attributes.set_post_ops(sum);
  }
  const dnnl::matmul::primitive_desc plan(dnnl::matmul::desc(a, b, c), attributes, engine_);
  Product product;
  product.primitive = dnnl::matmul(plan);
  product.a = memory(plan.src_desc(), engine_, nullptr);
  product.b = memory(plan.weights_desc(), engine_, nullptr);
  product.c = memory(plan.dst_desc(), engine_, nullptr);
  product.arguments = {
      {DNNL_ARG_SRC, product.a}, {DNNL_ARG_WEIGHTS, product.b}, {DNNL_ARG_DST, product.c}};
  return product;
}

void GemmEngine::Run(Product& product, const void* a, const void* b, float* c) {
  SetThreads();
  product.a.set_data_handle(const_cast<void*>(a));
  product.b.set_data_handle(const_cast<void*>(b));
  product.c.set_data_handle(c);
  product.primitive.execute(stream_, product.arguments);
  stream_.wait();
}

void GemmEngine::Reorder(const dnnl::memory::desc& from, const void* source, dnnl::memory& to) {
  SetThreads();
  dnnl::memory input(from, engine_, const_cast<void*>(source));
  dnnl::reorder(input, to).execute(stream_, input, to);
  stream_.wait();
}

}  // namespace tenor

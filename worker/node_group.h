#ifndef TENOR_WORKER_NODE_GROUP_H_
#define TENOR_WORKER_NODE_GROUP_H_

#include <cstddef>
#include <span>

namespace tenor {

// The processes of one machine that train as one member of a view: where their weights lie and
// where their gradients are summed. One form exists: a process alone (solo_group.h); with more, the
// hand-over is shared memory and this interface is implemented by the aggregator's client.
// Single-threaded.
class NodeGroup {
 public:
  virtual ~NodeGroup() = default;

  // Local workers; the member's weight.
  virtual int weight() const = 0;

  // The member's weights, FP32, flat in the order of the layout. Written while a pull is decoded,
  // read by the trainer between.
  virtual std::span<float> weights() = 0;

  // This process's gradient, flat, sum over its samples. The trainer's backward adds into it.
  virtual std::span<float> gradient() = 0;

  // Adds the other processes' gradients of elements [begin, end) into gradient(), in the order of
  // their local ranks, once all of them are final there.
  virtual void Sum(size_t begin, size_t end) = 0;
};

}  // namespace tenor

#endif  // TENOR_WORKER_NODE_GROUP_H_

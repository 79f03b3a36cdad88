#include "server/core/ledger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/random.h"
#include "proto/spec.pb.h"
#include "server/core/data_shape.h"
#include "server/core/messages.h"

namespace tenor {

namespace {

constexpr uint64_t kOrderStream = 0x6f72646572;  // keeps the draw apart from other uses of the seed
constexpr int32_t kMaxLane = 1 << 26;            // 1024 local workers of 65536 lanes

std::string Show(const Lease& lease) {
  return absl::StrCat("[", lease.from, ", ", lease.to, ") of segment ", lease.segment, ", pass ",
                      lease.pass, ", lane ", lease.lane);
}

absl::Status CheckOpen(const DataShape& data, const spec::Ledger& ledger,
                       const spec::OpenSegment& open) {
  const bool segment_fits = open.segment() >= 0 && open.segment() < data.Segments();
  const bool pass_fits = open.pass() >= 0 && open.pass() <= ledger.pass();
  if (segment_fits && pass_fits && open.position() >= 0 &&
      open.position() < data.SegmentSize(open.segment()) && open.lane() >= 0 &&
      open.lane() < kMaxLane) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat("ledger: open segment ", open.segment(), " of pass ",
                                          open.pass(), " at ", open.position(), ", lane ",
                                          open.lane(), " does not fit the data set"));
}

}  // namespace

std::vector<int64_t> PassOrder(uint64_t seed, int64_t pass, int64_t segments) {
  std::vector<int64_t> order(segments);
  std::iota(order.begin(), order.end(), int64_t{0});
  const uint64_t key = RandomBits(seed, kOrderStream, static_cast<uint64_t>(pass));
  for (int64_t i = segments - 1; i > 0; --i) {
    const uint64_t bits = Mix64(key ^ Mix64(static_cast<uint64_t>(i)));
    std::swap(order[i], order[UniformBelow(bits, static_cast<uint64_t>(i) + 1)]);
  }
  return order;
}

absl::Status Ledger::CheckDurable(const DataShape& data, const spec::Ledger& durable) {
  if (durable.pass() < 0 || durable.dealt() < 0 || durable.dealt() > data.Segments()) {
    return absl::DataLossError(absl::StrCat("ledger: ", durable.dealt(), " segments of pass ",
                                            durable.pass(), " are dealt, a pass has ",
                                            data.Segments()));
  }
  std::set<std::pair<int64_t, int64_t>> seen;
  for (const spec::OpenSegment& open : durable.open()) {
    if (absl::Status status = CheckOpen(data, durable, open); !status.ok()) return status;
    if (!seen.insert({open.pass(), open.segment()}).second) {
      return absl::DataLossError(absl::StrCat("ledger: segment ", open.segment(), " of pass ",
                                              open.pass(), " is open twice"));
    }
  }
  return absl::OkStatus();
}

Ledger::Ledger(const DataShape& data, const spec::Ledger& durable) : data_(data) {
  Restore(durable);
}

void Ledger::Restore(const spec::Ledger& durable) {
  pass_ = durable.pass();
  dealt_ = durable.dealt();
  committed_ = durable.committed_samples();
  order_.clear();
  held_.clear();
  returned_.clear();
  for (const spec::OpenSegment& open : durable.open()) {
    if (open.holder().empty()) {
      returned_[{open.pass(), open.segment()}] = open.position();
      continue;
    }
    std::vector<Lane>& lanes = held_[open.holder()];
    if (lanes.size() <= static_cast<size_t>(open.lane())) lanes.resize(open.lane() + 1);
    lanes[open.lane()].push_back({open.pass(), open.segment(), open.position()});
  }
}

spec::Ledger Ledger::Durable() const {
  spec::Ledger durable;
  durable.set_pass(pass_);
  durable.set_dealt(dealt_);
  durable.set_committed_samples(committed_);
  for (const auto& [name, lanes] : held_) {
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const OpenSegment& open : lanes[lane]) {
        spec::OpenSegment* out = durable.add_open();
        out->set_pass(open.pass);
        out->set_segment(open.segment);
        out->set_position(open.position);
        out->set_holder(name);
        out->set_lane(static_cast<int32_t>(lane));
      }
    }
  }
  for (const auto& [key, position] : returned_) {
    spec::OpenSegment* out = durable.add_open();
    out->set_pass(key.first);
    out->set_segment(key.second);
    out->set_position(position);
  }
  return durable;
}

void Ledger::Return(Lane* lane) {
  for (const OpenSegment& open : *lane) returned_[{open.pass, open.segment}] = open.position;
  lane->clear();
}

void Ledger::ReturnOutside(std::span<const Member> view, int32_t lanes) {
  std::map<std::string, size_t> wanted;
  for (const Member& member : view) {
    wanted[member.name] = static_cast<size_t>(member.weight) * static_cast<size_t>(lanes);
  }
  for (auto it = held_.begin(); it != held_.end();) {
    const auto found = wanted.find(it->first);
    const size_t keep = found == wanted.end() ? 0 : found->second;
    for (size_t lane = keep; lane < it->second.size(); ++lane) Return(&it->second[lane]);
    if (it->second.size() > keep) it->second.resize(keep);
    it = keep == 0 ? held_.erase(it) : std::next(it);
  }
}

bool Ledger::TakeFresh(Lane* lane) {
  if (dealt_ == data_.Segments()) {
    if (data_.passes > 0 && pass_ + 1 >= data_.passes) return false;
    ++pass_;
    dealt_ = 0;
    order_.clear();
  }
  if (order_.empty()) order_ = PassOrder(data_.seed, pass_, data_.Segments());
  lane->push_back({pass_, order_[dealt_], 0});
  ++dealt_;
  return true;
}

bool Ledger::Take(Lane* lane) {
  if (returned_.empty()) return TakeFresh(lane);
  const auto first = returned_.begin();
  lane->push_back({first->first.first, first->first.second, first->second});
  returned_.erase(first);
  return true;
}

Lease Ledger::Use(const OpenSegment& open, int32_t lane, const DealShape& shape,
                  int64_t* slots) const {
  const int64_t left = data_.SegmentSize(open.segment) - open.position;
  const int64_t used = std::min(*slots, (left + shape.slot_samples - 1) / shape.slot_samples);
  *slots -= used;
  return {.pass = open.pass,
          .segment = open.segment,
          .from = open.position,
          .to = open.position + std::min(left, used * shape.slot_samples),
          .lane = lane};
}

std::vector<Lease> Ledger::Deal(const Member& member, const DealShape& shape) {
  const int32_t count = member.weight * shape.lanes;
  std::vector<Lane>& lanes = held_[member.name];
  if (lanes.size() < static_cast<size_t>(count)) lanes.resize(count);
  std::vector<Lease> leases;
  leases.reserve(count);
  for (int32_t i = 0; i < count; ++i) {
    int64_t slots = shape.slots_per_lane;
    for (size_t next = 0; slots > 0; ++next) {
      if (next == lanes[i].size() && !Take(&lanes[i])) break;
      leases.push_back(Use(lanes[i][next], i, shape, &slots));
    }
  }
  return leases;
}

std::vector<Lease> Ledger::Hints(std::span<const Lease> leases, const DealShape& shape) const {
  std::vector<Lease> hints;
  for (size_t i = 0; i < leases.size(); ++i) {
    const Lease& last = leases[i];
    if (i + 1 < leases.size() && leases[i + 1].lane == last.lane) continue;
    if (last.to >= data_.SegmentSize(last.segment)) continue;
    int64_t slots = shape.slots_per_lane;
    hints.push_back(Use({last.pass, last.segment, last.to}, last.lane, shape, &slots));
  }
  return hints;
}

void Ledger::Commit(const std::string& member, std::span<const Lease> consumption) {
  for (const Lease& lease : consumption) {
    std::vector<Lane>& lanes = held_[member];
    CHECK_LT(static_cast<size_t>(lease.lane), lanes.size());
    Lane& lane = lanes[lease.lane];
    const auto open = std::find_if(lane.begin(), lane.end(), [&](const OpenSegment& x) {
      return x.pass == lease.pass && x.segment == lease.segment;
    });
    CHECK(open != lane.end()) << Show(lease) << " is not held by " << member;
    CHECK_EQ(open->position, lease.from);
    open->position = lease.to;
    committed_ += lease.to - lease.from;
    if (open->position == data_.SegmentSize(lease.segment)) lane.erase(open);
  }
}

bool Ledger::Exhausted() const {
  if (data_.passes == 0 || pass_ + 1 < data_.passes || dealt_ < data_.Segments()) return false;
  if (!returned_.empty()) return false;
  for (const auto& [name, lanes] : held_) {
    for (const Lane& lane : lanes) {
      if (!lane.empty()) return false;
    }
  }
  return true;
}

absl::Status CheckConsumption(std::span<const Lease> dealt, std::span<const Lease> consumption,
                              int64_t samples) {
  std::map<std::tuple<int64_t, int64_t>, const Lease*> open;
  for (const Lease& lease : dealt) open[{lease.pass, lease.segment}] = &lease;
  int64_t sum = 0;
  for (const Lease& lease : consumption) {
    const auto found = open.find({lease.pass, lease.segment});
    if (found == open.end() || lease.lane != found->second->lane ||
        lease.from != found->second->from || lease.to <= lease.from ||
        lease.to > found->second->to) {
      return absl::InvalidArgumentError(
          absl::StrCat("consumption of ", Show(lease), " does not continue what was dealt"));
    }
    sum += lease.to - lease.from;
    open.erase(found);
  }
  if (sum == samples) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a report of ", samples, " samples consumes ", sum));
}

}  // namespace tenor

#ifndef TENOR_BASE_PAYLOAD_H_
#define TENOR_BASE_PAYLOAD_H_

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tenor {

// Immutable bytes with shared ownership: what travels beside a message. A transport wraps its own
// slice in one without a copy; a sender shares one encoded chunk among all who pulled it. The bytes
// are freed with the last copy of the Payload. Thread-compatible; copies may be used by different
// threads.
class Payload {
 public:
  Payload() = default;

  // Takes the vector over.
  explicit Payload(std::vector<std::byte> bytes) {
    auto owned = std::make_shared<std::vector<std::byte>>(std::move(bytes));
    bytes_ = *owned;
    owner_ = std::move(owned);
  }

  // `bytes` stay valid for as long as `owner` lives.
  Payload(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  std::span<const std::byte> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

}  // namespace tenor

#endif  // TENOR_BASE_PAYLOAD_H_

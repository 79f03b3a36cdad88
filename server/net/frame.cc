#include "server/net/frame.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace tenor {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

constexpr uint32_t kPayloadTag = WireFormatLite::MakeTag(wire::Frame::kPayloadFieldNumber,
                                                         WireFormatLite::WIRETYPE_LENGTH_DELIMITED);

// Reads pieces one after the other, as they lie.
class PieceStream : public google::protobuf::io::ZeroCopyInputStream {
 public:
  explicit PieceStream(std::span<const Payload> pieces) : pieces_(pieces) {}

  bool Next(const void** data, int* size) override {
    while (next_ < pieces_.size() && offset_ == pieces_[next_].size()) {
      ++next_;
      offset_ = 0;
    }
    if (next_ == pieces_.size()) return false;
    const std::span<const std::byte> rest = pieces_[next_].bytes().subspan(offset_);
    *data = rest.data();
    *size = static_cast<int>(rest.size());
    offset_ += rest.size();
    count_ += static_cast<int64_t>(rest.size());
    return true;
  }

  // At most what the last Next gave, as the interface demands.
  void BackUp(int count) override {
    offset_ -= count;
    count_ -= count;
  }

  bool Skip(int count) override {
    const void* data = nullptr;
    int size = 0;
    while (count > 0 && Next(&data, &size)) {
      if (size > count) BackUp(size - count);
      count -= std::min(count, size);
    }
    return count == 0;
  }

  int64_t ByteCount() const override { return count_; }

 private:
  const std::span<const Payload> pieces_;
  size_t next_ = 0;
  size_t offset_ = 0;  // in pieces_[next_]
  int64_t count_ = 0;
};

// Where the payload lies in a message that ends with it.
struct Place {
  size_t header = 0;   // bytes in front of the payload's tag
  size_t payload = 0;  // first byte of the payload
};

absl::Status NoFrame() { return absl::InvalidArgumentError("these bytes are no Frame"); }

// Nothing if the payload is absent, or is followed by something else.
absl::StatusOr<std::optional<Place>> FindPayload(std::span<const Payload> pieces, size_t total) {
  PieceStream stream(pieces);
  CodedInputStream input(&stream);
  while (true) {
    const size_t header = input.CurrentPosition();
    const uint32_t tag = input.ReadTag();
    if (tag == 0) break;
    if (tag != kPayloadTag) {
      if (!WireFormatLite::SkipField(&input, tag)) return NoFrame();
      continue;
    }
    uint32_t length = 0;
    if (!input.ReadVarint32(&length)) return NoFrame();
    const size_t begin = input.CurrentPosition();
    if (length == total - begin) return Place{header, begin};
    return std::nullopt;
  }
  if (static_cast<size_t>(input.CurrentPosition()) != total) return NoFrame();
  return std::nullopt;
}

// Bytes [begin, end of all pieces).
Payload Rest(std::span<const Payload> pieces, size_t begin, size_t total) {
  size_t offset = 0;
  size_t first = 0;
  while (first < pieces.size() && offset + pieces[first].size() <= begin) {
    offset += pieces[first++].size();
  }
  if (begin == total) return Payload();
  if (offset + pieces[first].size() == total) {
    return Payload(pieces[first].owner(), pieces[first].bytes().subspan(begin - offset));
  }
  std::vector<std::byte> gathered;
  gathered.reserve(total - begin);
  size_t skip = begin - offset;
  for (const Payload& piece : pieces.subspan(first)) {
    const std::span<const std::byte> bytes = piece.bytes().subspan(skip);
    gathered.insert(gathered.end(), bytes.begin(), bytes.end());
    skip = 0;
  }
  return Payload(std::move(gathered));
}

// For a sender that wrote its fields in another order: the payload is copied out of the message.
absl::StatusOr<ParsedFrame> ParseWhole(std::span<const Payload> pieces) {
  ParsedFrame out;
  PieceStream stream(pieces);
  if (!out.frame.ParseFromZeroCopyStream(&stream)) return NoFrame();
  const auto* begin = reinterpret_cast<const std::byte*>(out.frame.payload().data());
  out.payload = Payload(std::vector<std::byte>(begin, begin + out.frame.payload().size()));
  out.frame.clear_payload();
  return out;
}

absl::Status CheckSize(absl::string_view what, size_t bytes, size_t limit) {
  if (bytes <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " has ", bytes, " bytes, more than the limit of ", limit));
}

}  // namespace

std::string FrameHeader(const wire::Frame& frame, size_t payload_bytes) {
  std::string header = frame.SerializeAsString();
  if (payload_bytes == 0) return header;
  uint8_t suffix[10];
  uint8_t* end = CodedOutputStream::WriteTagToArray(kPayloadTag, suffix);
  end = CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(payload_bytes), end);
  header.append(reinterpret_cast<const char*>(suffix), end - suffix);
  return header;
}

absl::StatusOr<ParsedFrame> ParseFrame(std::span<const Payload> pieces) {
  size_t total = 0;
  for (const Payload& piece : pieces) total += piece.size();
  if (absl::Status size = CheckSize("a frame", total, kMaxMessageBytes); !size.ok()) return size;
  absl::StatusOr<std::optional<Place>> place = FindPayload(pieces, total);
  if (!place.ok()) return place.status();
  if (!place->has_value()) return ParseWhole(pieces);
  const Place& at = **place;
  if (absl::Status size = CheckSize("a payload", total - at.payload, kMaxPayloadBytes);
      !size.ok()) {
    return size;
  }
  ParsedFrame out;
  PieceStream stream(pieces);
  if (!out.frame.ParseFromBoundedZeroCopyStream(&stream, static_cast<int>(at.header))) {
    return NoFrame();
  }
  out.payload = Rest(pieces, at.payload, total);
  return out;
}

}  // namespace tenor

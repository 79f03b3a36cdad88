#include "server/net/frame.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tenor {
namespace {

Payload PayloadOf(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Payload(std::vector<std::byte>(begin, begin + text.size()));
}

std::string TextOf(const Payload& payload) {
  return std::string(reinterpret_cast<const char*>(payload.bytes().data()), payload.size());
}

wire::Frame Push() {
  wire::Frame frame;
  frame.set_kind(wire::FrameKind::PUSH);
  frame.set_name("node3");
  frame.set_chunk(17);
  frame.mutable_label()->set_round(9);
  return frame;
}

// `text` cut into pieces of `size` bytes.
std::vector<Payload> Pieces(const std::string& text, size_t size) {
  std::vector<Payload> pieces;
  for (size_t at = 0; at < text.size(); at += size)
    pieces.push_back(PayloadOf(text.substr(at, size)));
  return pieces;
}

TEST(Frame, IsTheMessageThatProtobufWrites) {
  wire::Frame whole = Push();
  whole.set_payload("0123456789");
  EXPECT_EQ(FrameHeader(Push(), 10) + "0123456789", whole.SerializeAsString());
  EXPECT_EQ(FrameHeader(Push(), 0), Push().SerializeAsString());
}

TEST(Frame, ParsesHoweverItIsCut) {
  const std::string body(300, 'x');
  const std::string text = FrameHeader(Push(), body.size()) + body;
  for (size_t size = 1; size <= text.size(); ++size) {
    const std::vector<Payload> pieces = Pieces(text, size);
    const absl::StatusOr<ParsedFrame> parsed = ParseFrame(pieces);
    ASSERT_TRUE(parsed.ok()) << size << ": " << parsed.status();
    EXPECT_EQ(parsed->frame.SerializeAsString(), Push().SerializeAsString());
    EXPECT_EQ(TextOf(parsed->payload), body);
  }
}

TEST(Frame, SharesThePieceThatHoldsThePayload) {
  const std::vector<Payload> pieces = {PayloadOf(FrameHeader(Push(), 4)), PayloadOf("abcd")};
  const absl::StatusOr<ParsedFrame> parsed = ParseFrame(pieces);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->payload.bytes().data(), pieces[1].bytes().data());
}

TEST(Frame, TakesAnyOrderOfFields) {
  wire::Frame payload_only;
  payload_only.set_payload("abcd");
  const std::string text = payload_only.SerializeAsString() + Push().SerializeAsString();
  const absl::StatusOr<ParsedFrame> parsed = ParseFrame(Pieces(text, 7));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->frame.SerializeAsString(), Push().SerializeAsString());
  EXPECT_EQ(TextOf(parsed->payload), "abcd");
}

TEST(Frame, TakesAnEmptyMessage) {
  const absl::StatusOr<ParsedFrame> parsed = ParseFrame({});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->payload.size(), 0u);
}

TEST(Frame, RefusesWhatIsCutShort) {
  const std::string text = FrameHeader(Push(), 4) + "abcd";
  for (size_t size = text.size() - 5; size < text.size(); ++size) {
    const absl::StatusOr<ParsedFrame> parsed = ParseFrame(Pieces(text.substr(0, size), 3));
    EXPECT_FALSE(parsed.ok()) << size;
  }
}

TEST(Frame, RefusesWhatIsTooLong) {
  const std::string body(kMaxPayloadBytes + 1, 'x');
  const std::string text = FrameHeader(Push(), body.size()) + body;
  EXPECT_EQ(ParseFrame(Pieces(text, text.size())).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::string longer(kMaxMessageBytes + 1, 'x');
  EXPECT_EQ(ParseFrame(Pieces(longer, longer.size())).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Frame, RefusesALengthBeyondTheEnd) {
  const std::string text = FrameHeader(Push(), 1u << 31) + "abcd";
  EXPECT_FALSE(ParseFrame(Pieces(text, text.size())).ok());
}

}  // namespace
}  // namespace tenor

#include "server/net/frame_buffer.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/support/byte_buffer.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

Payload Bytes(size_t size) { return Payload(std::vector<std::byte>(size, std::byte{7})); }

Push SomePush() {
  Push push;
  push.label = {2, 3, 4};
  push.name = "node1-0";
  push.chunk = 5;
  push.codec = spec::Codec::FP16;
  push.samples = 6;
  return push;
}

TEST(FrameBuffer, RoundTrip) {
  for (size_t size : {size_t{1}, size_t{100}, size_t{70000}, kMaxPayloadBytes}) {
    const auto decoded = DecodeWorkerFrame(EncodeFrame(WorkerToShard(SomePush()), Bytes(size)));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    const Push& push = std::get<Push>(decoded->first);
    EXPECT_EQ(push.name, "node1-0");
    EXPECT_EQ(push.bytes, static_cast<int64_t>(size));
    EXPECT_EQ(decoded->second.size(), size);
    EXPECT_EQ(decoded->second.bytes().back(), std::byte{7});
  }
}

TEST(FrameBuffer, SharesThePayloadAndReleasesIt) {
  const auto owner = std::make_shared<std::vector<std::byte>>(4096, std::byte{1});
  std::weak_ptr<std::vector<std::byte>> watched = owner;
  {
    auto payload = std::make_unique<Payload>(owner, *owner);
    const grpc::ByteBuffer buffer = EncodeFrame(WorkerToShard(SomePush()), *payload);
    payload.reset();
    EXPECT_EQ(watched.use_count(), 2);
    const auto decoded = DecodeWorkerFrame(buffer);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->second.bytes().data(), owner->data());
  }
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(FrameBuffer, ReadsWhatATypedClientSends) {
  wire::Frame frame;
  frame.set_kind(wire::FrameKind::CHUNK);
  frame.set_chunk(3);
  frame.set_version(9);
  frame.set_codec(spec::Codec::FP32);
  frame.set_payload(std::string(40000, 'p'));
  grpc::ByteBuffer buffer;
  bool own = false;
  ASSERT_TRUE(grpc::SerializationTraits<wire::Frame>::Serialize(frame, &buffer, &own).ok());
  const auto decoded = DecodeShardFrame(buffer);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(std::get<Chunk>(decoded->first).version, 9);
  EXPECT_EQ(decoded->second.size(), 40000u);
}

TEST(FrameBuffer, ATypedClientReadsWhatIsSent) {
  Chunk chunk;
  chunk.version = 9;
  chunk.codec = spec::Codec::FP32;
  grpc::ByteBuffer buffer = EncodeFrame(ShardToWorker(chunk), Bytes(40000));
  wire::Frame frame;
  ASSERT_TRUE(grpc::SerializationTraits<wire::Frame>::Deserialize(&buffer, &frame).ok());
  EXPECT_EQ(frame.version(), 9);
  EXPECT_EQ(frame.payload(), std::string(40000, '\7'));
}

TEST(FrameBuffer, RefusesAPayloadWhereTheKindHasNone) {
  Push poison = SomePush();
  poison.poison = true;
  EXPECT_FALSE(DecodeWorkerFrame(EncodeFrame(WorkerToShard(poison), Bytes(4))).ok());
  EXPECT_TRUE(DecodeWorkerFrame(EncodeFrame(WorkerToShard(poison), Payload())).ok());
  EXPECT_FALSE(DecodeShardFrame(EncodeFrame(ShardToWorker(PushAck{}), Bytes(4))).ok());
}

}  // namespace
}  // namespace tenor

#include "server/net/wire.h"

#include <limits>
#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

// The round trips start from protos in which every field is set, by reflection, so that a field
// that is added to wire.proto and not converted fails here. ToWire(FromWire(x)) == x then says that
// the structs hold all of it.

namespace tenor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Counts up, so that no two fields of a message hold the same number.
class Filler {
 public:
  void Fill(Message* message) {
    const Descriptor* type = message->GetDescriptor();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* field = type->field(i);
      if (field->containing_oneof() != nullptr) continue;
      FillField(message, field);
    }
  }

  void FillField(Message* message, const FieldDescriptor* field) {
    const int copies = field->is_repeated() ? 3 : 1;
    for (int i = 0; i < copies; ++i) FillOne(message, field, i);
  }

 private:
  void FillOne(Message* message, const FieldDescriptor* field, int position) {
    const Reflection* reflection = message->GetReflection();
    const bool many = field->is_repeated();
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        // The index of an entry is its position.
        Set(many, &Reflection::SetInt32, &Reflection::AddInt32, message, field,
            field->name() == "index" ? position_ : ++next_);
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        Set(many, &Reflection::SetInt64, &Reflection::AddInt64, message, field, ++next_);
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        Set(many, &Reflection::SetUInt32, &Reflection::AddUInt32, message, field, ++next_);
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        Set(many, &Reflection::SetUInt64, &Reflection::AddUInt64, message, field, ++next_);
        break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        Set(many, &Reflection::SetDouble, &Reflection::AddDouble, message, field, ++next_ + 0.1);
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        Set(many, &Reflection::SetBool, &Reflection::AddBool, message, field, true);
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        Set(many, &Reflection::SetString, &Reflection::AddString, message, field,
            std::string("name-") + std::to_string(++next_));
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        Set(many, &Reflection::SetEnumValue, &Reflection::AddEnumValue, message, field, 1);
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        position_ = position;
        Fill(many ? reflection->AddMessage(message, field)
                  : reflection->MutableMessage(message, field));
        break;
      default:
        FAIL() << field->full_name() << " has a type that this test does not fill";
    }
  }

  template <typename SetOne, typename AddOne, typename Value>
  static void Set(bool many, SetOne set, AddOne add, Message* message, const FieldDescriptor* field,
                  Value value) {
    const Reflection* reflection = message->GetReflection();
    many ? (reflection->*add)(message, field, value) : (reflection->*set)(message, field, value);
  }

  int next_ = 0;
  int position_ = 0;
};

template <typename Wire>
void ExpectRoundTrip(const Wire& message) {
  const auto converted = FromWire(message);
  ASSERT_TRUE(converted.ok()) << converted.status() << "\n" << message.DebugString();
  EXPECT_EQ(ToWire(*converted).DebugString(), message.DebugString());
}

// Every kind of a oneof, each with all its fields set, then each with none set that may lack.
template <typename Wire>
void ExpectRoundTripOfEveryKind() {
  const Descriptor* type = Wire::descriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    SCOPED_TRACE(type->field(i)->name());
    Wire message;
    Filler().FillField(&message, type->field(i));
    ExpectRoundTrip(message);
  }
}

TEST(Wire, WorkerMessages) { ExpectRoundTripOfEveryKind<wire::WorkerMessage>(); }

TEST(Wire, CoordinatorToWorker) { ExpectRoundTripOfEveryKind<wire::CoordinatorToWorker>(); }

TEST(Wire, Status) {
  wire::Status status;
  Filler().Fill(&status);
  ExpectRoundTrip(status);
}

TEST(Wire, CoordinatorToShard) { ExpectRoundTripOfEveryKind<wire::CoordinatorToShard>(); }

TEST(Wire, EveryEnumValueSurvives) {
  for (int phase = 0; phase <= wire::ShardPhase::Type_MAX; ++phase) {
    wire::Status status;
    status.mutable_open();
    status.mutable_handshake();
    status.mutable_saved_file();
    status.set_phase(static_cast<wire::ShardPhase::Type>(phase));
    status.set_load_error(static_cast<wire::LoadError::Kind>(phase % 3));
    ExpectRoundTrip(status);
  }
  for (int verdict = 1; verdict <= spec::Verdict::Type_MAX; ++verdict) {
    wire::CoordinatorToShard finish;
    finish.mutable_finish()->mutable_label();
    finish.mutable_finish()->set_verdict(static_cast<spec::Verdict::Type>(verdict));
    ExpectRoundTrip(finish);
  }
}

// The fields of a frame that its kind carries (proto/wire.proto, FrameKind).
wire::Frame FrameWith(wire::FrameKind::Type kind, const std::vector<std::string>& fields) {
  wire::Frame frame;
  Filler filler;
  for (const std::string& name : fields) {
    filler.FillField(&frame, wire::Frame::descriptor()->FindFieldByName(name));
  }
  frame.set_kind(kind);
  return frame;
}

wire::Frame LineageOnly(wire::Frame frame) {
  frame.mutable_label()->clear_round();
  frame.mutable_label()->clear_view();
  return frame;
}

TEST(Wire, FramesOfAWorker) {
  const std::vector<wire::Frame> frames = {
      LineageOnly(FrameWith(wire::FrameKind::HELLO, {"label", "name", "incarnation", "handshake"})),
      LineageOnly(FrameWith(wire::FrameKind::PULL, {"label", "version", "name", "chunks"})),
      FrameWith(wire::FrameKind::PUSH,
                {"label", "name", "incarnation", "chunk", "codec", "poison", "samples"}),
  };
  for (const wire::Frame& frame : frames) {
    const auto message = WorkerFrameFromWire(frame, 0);
    ASSERT_TRUE(message.ok()) << message.status();
    EXPECT_EQ(ToWire(*message).DebugString(), frame.DebugString());
  }
}

TEST(Wire, FramesOfAShard) {
  const std::vector<wire::Frame> frames = {
      LineageOnly(FrameWith(wire::FrameKind::HELLO_OK, {"label"})),
      FrameWith(wire::FrameKind::PUSH_ACK, {"label", "chunk"}),
      FrameWith(wire::FrameKind::STALE, {"label", "chunk"}),
      FrameWith(wire::FrameKind::RETRY, {"label", "chunk"}),
      LineageOnly(FrameWith(wire::FrameKind::CHUNK, {"label", "version", "chunk", "codec"})),
      LineageOnly(FrameWith(wire::FrameKind::GONE, {"label", "version"})),
      FrameWith(wire::FrameKind::REFUSED, {"sentence"}),
  };
  for (const wire::Frame& frame : frames) {
    const auto message = ShardFrameFromWire(frame, 0);
    ASSERT_TRUE(message.ok()) << message.status();
    EXPECT_EQ(ToWire(*message).DebugString(), frame.DebugString());
  }
}

template <typename Wire>
void ExpectRefused(const Wire& message) {
  EXPECT_EQ(FromWire(message).status().code(), absl::StatusCode::kInvalidArgument)
      << message.DebugString();
}

TEST(Wire, RefusesWhatNoPeerMaySend) {
  ExpectRefused(wire::WorkerMessage());
  ExpectRefused(wire::CoordinatorToWorker());
  ExpectRefused(wire::CoordinatorToShard());

  wire::WorkerMessage join;
  Filler().FillField(&join, wire::WorkerMessage::descriptor()->FindFieldByName("join"));
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a\n"),
                                  std::string("../x"), std::string(129, 'n')}) {
    wire::WorkerMessage bad = join;
    bad.mutable_join()->set_name(name);
    if (name != "../x") ExpectRefused(bad);
  }
  for (int32_t weight : {-1, 0, 1025, std::numeric_limits<int32_t>::max()}) {
    wire::WorkerMessage bad = join;
    bad.mutable_join()->set_weight(weight);
    ExpectRefused(bad);
  }

  wire::WorkerMessage report;
  Filler().FillField(&report, wire::WorkerMessage::descriptor()->FindFieldByName("report"));
  report.mutable_report()->mutable_consumption(0)->set_from(100);
  report.mutable_report()->mutable_consumption(0)->set_to(99);
  ExpectRefused(report);

  wire::Status status;
  Filler().Fill(&status);
  status.set_phase(static_cast<wire::ShardPhase::Type>(99));
  ExpectRefused(status);
}

TEST(Wire, RefusesFramesThatContradictThemselves) {
  wire::Frame push = FrameWith(wire::FrameKind::PUSH, {"label", "name", "chunk", "codec"});
  push.set_samples(1);
  EXPECT_TRUE(WorkerFrameFromWire(push, 8).ok());
  push.set_samples(0);
  EXPECT_FALSE(WorkerFrameFromWire(push, 8).ok());
  push.set_samples(1);
  push.set_poison(true);
  EXPECT_FALSE(WorkerFrameFromWire(push, 8).ok());
  push.set_poison(false);
  push.set_codec(static_cast<spec::Codec::Id>(77));
  EXPECT_FALSE(WorkerFrameFromWire(push, 8).ok());
  push.set_kind(static_cast<wire::FrameKind::Type>(77));
  EXPECT_FALSE(WorkerFrameFromWire(push, 0).ok());
  EXPECT_FALSE(ShardFrameFromWire(push, 0).ok());
}

}  // namespace
}  // namespace tenor

#ifndef TENOR_SERVER_NET_CHANNEL_SETTINGS_H_
#define TENOR_SERVER_NET_CHANNEL_SETTINGS_H_

#include "server/net/frame.h"

// gRPC's arguments by name, for every channel and every server of ours, so that both ends agree.
// Needs no header of gRPC.

namespace tenor {

struct ChannelSetting {
  const char* name;
  int value;
};

inline constexpr ChannelSetting kChannelSettings[] = {
    {"grpc.max_receive_message_length", static_cast<int>(kMaxMessageBytes)},
    {"grpc.max_send_message_length", static_cast<int>(kMaxMessageBytes)},
    // A fixed large window instead of a probed one: twice the throughput of large frames.
    {"grpc.http2.bdp_probe", 0},
    {"grpc.http2.lookahead_bytes", 16 << 20},
    // A peer that vanished without closing is noticed.
    {"grpc.keepalive_time_ms", 5000},
    {"grpc.keepalive_timeout_ms", 5000},
    {"grpc.keepalive_permit_without_calls", 1},
    {"grpc.http2.max_pings_without_data", 0},
};

// For channels: each dials anew instead of sharing a connection (and its backoff) with another
// channel of the process.
inline constexpr ChannelSetting kClientSettings[] = {
    {"grpc.use_local_subchannel_pool", 1},
    {"grpc.enable_retries", 0},
};

// For servers: a second process on one port fails instead of taking half of the connections.
inline constexpr ChannelSetting kServerSettings[] = {
    {"grpc.so_reuseport", 0},
    {"grpc.http2.min_ping_interval_without_data_ms", 1000},
    {"grpc.http2.max_ping_strikes", 0},
};

}  // namespace tenor

#endif  // TENOR_SERVER_NET_CHANNEL_SETTINGS_H_

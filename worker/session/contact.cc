#include "worker/session/contact.h"

#include <algorithm>

#include "base/random.h"

namespace tenor::session {

void Contact::OnConnected(absl::Duration now, ConnectionId connection) {
  connection_ = connection;
  heard_ = now;
}

bool Contact::OnLost(ConnectionId connection) {
  if (connection != connection_) return false;
  connection_ = ConnectionId{};
  return true;
}

void Contact::OnHeard(absl::Duration now) {
  heard_ = now;
  in_vain_ = 0;
  look_up_at_ = -absl::InfiniteDuration();
}

bool Contact::LookUpDue(absl::Duration now) {
  if (connected() && now - heard_ < config_.silence) return false;
  if (now < look_up_at_) return false;
  // Doubles, so that a thousand workers do not fall on a server that has just come back.
  const absl::Duration bound = std::min(
      config_.retry_maximum, config_.retry_minimum * (int64_t{2} << std::min(in_vain_, 20)));
  const double fraction = UniformDouble(RandomBits(config_.seed, 0, look_ups_));
  look_up_at_ = now + config_.retry_minimum + (bound - config_.retry_minimum) * fraction;
  ++look_ups_;
  ++in_vain_;
  return true;
}

bool Contact::OnBusy(absl::Duration now) {
  if (!busy_since_.has_value() || now - busy_last_ > config_.busy_gap) busy_since_ = now;
  busy_last_ = now;
  return now - *busy_since_ >= config_.name_wait;
}

}  // namespace tenor::session

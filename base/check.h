#ifndef TENOR_BASE_CHECK_H_
#define TENOR_BASE_CHECK_H_

#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

// CHECK(condition) << "more": prints one line to stderr and aborts if the condition is false.
// CHECK_EQ and its kin print both values; integers of different sign compare by value.
// Only for bugs of ours: what a peer, a file or an operator can cause returns an absl::Status.
// DCHECK and its kin compile in every build and are evaluated where NDEBUG is not defined.

#define CHECK(condition)                       \
  switch (0)                                   \
  case 0:                                      \
  default:                                     \
    (condition)                                \
        ? (void)0                              \
        : ::tenor::check_internal::Discard() & \
              ::tenor::check_internal::CheckFailure(__FILE__, __LINE__, #condition).stream()

#define CHECK_EQ(a, b) TENOR_CHECK_COMPARE_(Equal, ==, a, b)
#define CHECK_NE(a, b) TENOR_CHECK_COMPARE_(NotEqual, !=, a, b)
#define CHECK_LT(a, b) TENOR_CHECK_COMPARE_(Less, <, a, b)
#define CHECK_LE(a, b) TENOR_CHECK_COMPARE_(LessEqual, <=, a, b)
#define CHECK_GT(a, b) TENOR_CHECK_COMPARE_(Greater, >, a, b)
#define CHECK_GE(a, b) TENOR_CHECK_COMPARE_(GreaterEqual, >=, a, b)

#ifdef NDEBUG
#define TENOR_DCHECK_GUARD_ while (false)
#else
#define TENOR_DCHECK_GUARD_
#endif

#define DCHECK(condition) TENOR_DCHECK_GUARD_ CHECK(condition)
#define DCHECK_EQ(a, b) TENOR_DCHECK_GUARD_ CHECK_EQ(a, b)
#define DCHECK_NE(a, b) TENOR_DCHECK_GUARD_ CHECK_NE(a, b)
#define DCHECK_LT(a, b) TENOR_DCHECK_GUARD_ CHECK_LT(a, b)
#define DCHECK_LE(a, b) TENOR_DCHECK_GUARD_ CHECK_LE(a, b)
#define DCHECK_GT(a, b) TENOR_DCHECK_GUARD_ CHECK_GT(a, b)
#define DCHECK_GE(a, b) TENOR_DCHECK_GUARD_ CHECK_GE(a, b)

#define TENOR_CHECK_COMPARE_(relation, symbol, a, b)                              \
  while (std::unique_ptr<std::string> tenor_failure =                             \
             ::tenor::check_internal::Compare<::tenor::check_internal::relation>( \
                 (a), (b), #a " " #symbol " " #b))                                \
  ::tenor::check_internal::CheckFailure(__FILE__, __LINE__, *tenor_failure).stream()

namespace tenor::check_internal {

// Collects the message; its destructor prints and aborts.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const std::string& what);
  [[noreturn]] ~CheckFailure();
  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};

// Gives both branches of CHECK's conditional the type void; binds weaker than <<.
struct Discard {
  void operator&(std::ostream&) const {}
};

template <typename T>
inline constexpr bool kPlainInteger =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> &&
    !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t> &&
    !std::is_same_v<T, wchar_t>;

template <typename A, typename B>
inline constexpr bool kCompareByValue = kPlainInteger<A>&& kPlainInteger<B>;

#define TENOR_CHECK_RELATION_(name, symbol, by_value) \
  struct name {                                       \
    template <typename A, typename B>                 \
    static bool Holds(const A& a, const B& b) {       \
      if constexpr (kCompareByValue<A, B>) {          \
        return by_value(a, b);                        \
      } else {                                        \
        return a symbol b;                            \
      }                                               \
    }                                                 \
  }

TENOR_CHECK_RELATION_(Equal, ==, std::cmp_equal);
TENOR_CHECK_RELATION_(NotEqual, !=, std::cmp_not_equal);
TENOR_CHECK_RELATION_(Less, <, std::cmp_less);
TENOR_CHECK_RELATION_(LessEqual, <=, std::cmp_less_equal);
TENOR_CHECK_RELATION_(Greater, >, std::cmp_greater);
TENOR_CHECK_RELATION_(GreaterEqual, >=, std::cmp_greater_equal);

#undef TENOR_CHECK_RELATION_

template <typename T>
void Print(std::ostream& out, const T& value) {
  if constexpr (requires { out << value; }) {
    out << value;
  } else if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else {
    out << "<unprintable>";
  }
}

// Null if the relation holds, otherwise "expression (a vs. b)".
template <typename Relation, typename A, typename B>
std::unique_ptr<std::string> Compare(const A& a, const B& b, const char* expression) {
  if (Relation::Holds(a, b)) [[likely]] {
    return nullptr;
  }
  std::ostringstream out;
  out << expression << " (";
  Print(out, a);
  out << " vs. ";
  Print(out, b);
  out << ")";
  return std::make_unique<std::string>(out.str());
}

}  // namespace tenor::check_internal

#endif  // TENOR_BASE_CHECK_H_

// A branch whose captures have a word that is never written: check_padding looks how it is passed on.
#include <takt/takt.hpp>

struct empty {};
struct right {
  empty none;
  long a;
  long b;
  const char* c;
  void operator()() const;
};

void fork(bool fails, long a, long b, const char* c) {
  takt::fork_join([fails] { if (fails) throw 1; }, right{{}, a, b, c});
}

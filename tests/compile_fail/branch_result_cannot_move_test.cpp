// A result is handed from the branch to the join.
// expect: satisfaction of [^ ]*branch<
// expect: (satisfy '[a-z:]*branch'|branch<.*evaluated to false)
#include <takt/fork_join.hpp>

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
};

void misuse() {
  takt::fork_join([] { return fixed(); }, [] {});
}

// What a branch returns by reference is copied from.
// expect: satisfaction of [^ ]*branch<
// expect: (satisfy '[a-z:]*branch'|branch<.*evaluated to false)
#include <takt/fork_join.hpp>

#include <memory>

void misuse(std::unique_ptr<int>& owner) {
  takt::fork_join([&]() -> std::unique_ptr<int>& { return owner; }, [] {});
}

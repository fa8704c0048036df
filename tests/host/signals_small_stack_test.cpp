// Threads whose alternate stacks have no room for a signal's frame: takt's signals do not go there.
//
// Argument: `faults`, for a program that handles stack overflows there.
#include "signals.hpp"

#include <cstring>
#include <thread>

namespace {

// The least that sigaltstack() takes.
constexpr std::size_t k_bytes = 2048;
char first[k_bytes];
char second[k_bytes];

void call_with(char* memory) {
  stack_t alternate{};
  alternate.ss_sp = memory;
  alternate.ss_size = k_bytes;
  stack_t before{};
  if (sigaltstack(&alternate, &before) != 0) host::skip("alternate stacks must be larger here");
  host::calls_with_silent_leaves(30);
  HOST_CHECK(sigaltstack(&before, nullptr) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "faults") == 0) {
    struct sigaction faults {};
    faults.sa_handler = [](int) { std::_Exit(1); };
    faults.sa_flags = SA_ONSTACK;
    HOST_CHECK(sigaction(SIGSEGV, &faults, nullptr) == 0);
  }
  call_with(first);
  std::thread([] { call_with(second); }).join();
}

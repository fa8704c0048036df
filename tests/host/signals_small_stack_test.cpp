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

void use(char* memory) {
  stack_t alternate{};
  alternate.ss_sp = memory;
  alternate.ss_size = k_bytes;
  if (sigaltstack(&alternate, nullptr) != 0) host::skip("alternate stacks must be larger here");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "faults") == 0) {
    struct sigaction faults {};
    faults.sa_handler = [](int) { std::_Exit(1); };
    faults.sa_flags = SA_ONSTACK;
    HOST_CHECK(sigaction(SIGSEGV, &faults, nullptr) == 0);
  }
  use(first);
  host::calls_with_silent_leaves(30);
  std::thread([] {
    use(second);
    host::calls_with_silent_leaves(30);
  }).join();
}

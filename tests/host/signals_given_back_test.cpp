// takt gives a signal back when it is told to use none, or another; it leaves alone what the program has put in place
// of its handler, and sends nothing to it.
#include "signals.hpp"

#include <set>
#include <stdexcept>

namespace {

volatile sig_atomic_t got = 0;
void count(int) { got = got + 1; }

void use(int number) {
  takt::config settings = takt::config::from_environment();
  settings.interrupts = number >= 0;
  settings.signal = number > 0 ? number : 0;
  takt::configure(settings);
}

bool is_handled(int number) {
  const auto handler = host::action_of(number).sa_handler;
  return handler != SIG_DFL && handler != SIG_IGN;
}

// The signals that have handlers, takt's or others'.
std::set<int> handled() {
  std::set<int> numbers;
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if ((number < 32 || number >= SIGRTMIN) && is_handled(number)) numbers.insert(number);
  }
  return numbers;
}

}  // namespace

int main() {
  const std::set<int> at_start = handled();
  use(0);
  HOST_CHECK(takt::current_config().signal == SIGURG);
  HOST_CHECK(is_handled(SIGURG));
  HOST_CHECK(host::a_leaf_is_reached());

  use(SIGUSR2);
  HOST_CHECK(!is_handled(SIGURG) && is_handled(SIGUSR2));
  HOST_CHECK(host::a_leaf_is_reached());
  use(SIGRTMIN + 3);
  HOST_CHECK(!is_handled(SIGUSR2) && is_handled(SIGRTMIN + 3));
  HOST_CHECK(host::a_leaf_is_reached());

  use(-1);
  HOST_CHECK(takt::current_config().signal == 0 && !takt::current_config().interrupts);
  HOST_CHECK(handled() == at_start);

  struct sigaction theirs {};
  theirs.sa_handler = &count;
  // Somebody handles SIGURG: takt leaves it alone.
  HOST_CHECK(sigaction(SIGURG, &theirs, nullptr) == 0);
  use(0);
  HOST_CHECK(takt::current_config().signal >= SIGRTMIN);
  HOST_CHECK(host::action_of(SIGURG).sa_handler == &count);
  HOST_CHECK(host::a_leaf_is_reached());

  // In front of theirs, when told so, and given back to them.
  use(SIGURG);
  HOST_CHECK(host::action_of(SIGURG).sa_handler != &count);
  HOST_CHECK(host::a_leaf_is_reached());
  use(-1);
  HOST_CHECK(host::action_of(SIGURG).sa_handler == &count);

  // Replaced while it is in use.
  use(SIGUSR1);
  HOST_CHECK(host::a_leaf_is_reached());
  HOST_CHECK(sigaction(SIGUSR1, &theirs, nullptr) == 0);
  host::calls_with_silent_leaves(20);
  HOST_CHECK(got == 0, "%d", static_cast<int>(got));
  use(0);
  HOST_CHECK(host::action_of(SIGUSR1).sa_handler == &count);
  HOST_CHECK(host::a_leaf_is_reached());

  // What must not be used.
  for (const int number : {SIGKILL, SIGSTOP, SIGSEGV, SIGCHLD, 32, -1, 65}) {
    takt::config settings;
    settings.signal = number;
    bool refused = false;
    try {
      takt::configure(settings);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    HOST_CHECK(refused, "signal %d", number);
  }
}

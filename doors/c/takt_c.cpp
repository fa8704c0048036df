// The C interface, over takt's own.
#include "takt_c.h"

#include "../halve.hpp"

#include <takt/takt.hpp>

#include <new>

struct takt_c_scope {
  takt::task_group calls;
};

namespace {

struct part {
  std::uint64_t first, last;
  bool is_divisible() const { return last - first > 1; }
};

void run_parts(part& whole, takt::doors::cuts allowed, takt_c_body body, void* argument) {
  const auto cut_off = [&] {
    const std::uint64_t last = whole.last;
    whole.last = whole.first + (last - whole.first) / 2;
    return part{whole.last, last};
  };
  const bool is_cut = takt::doors::halve(
      whole, allowed, cut_off, [&](part& lower, takt::doors::cuts left) { run_parts(lower, left, body, argument); },
      [&](part& upper, takt::doors::cuts left, bool) { run_parts(upper, left, body, argument); });
  if (!is_cut) body(argument, whole.first, whole.last);
}

}  // namespace

extern "C" {

unsigned takt_c_version(void) { return TAKT_C_VERSION; }
unsigned takt_c_workers(void) { return takt::current_config().workers; }

void takt_c_join(takt_c_function left, void* left_argument, takt_c_function right, void* right_argument) {
  const takt::stay here;
  takt::fork_join([=] { left(left_argument); }, [=] { right(right_argument); });
}

void takt_c_for(std::uint64_t first, std::uint64_t last, takt_c_body body, void* argument) {
  if (first >= last) return;
  const takt::stay here;
  part all{first, last};
  run_parts(all, takt::doors::usual_cuts(), body, argument);
}

takt_c_scope* takt_c_scope_new(void) {
  try {
    return new takt_c_scope;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void takt_c_scope_run(takt_c_scope* scope, takt_c_function call, void* argument) {
  // Nothing is thrown through C.
  takt::without_stop([=] { scope->calls.run([=] { call(argument); }); });
}
void takt_c_scope_wait(takt_c_scope* scope) {
  const takt::stay here;
  scope->calls.wait();
}
void takt_c_scope_delete(takt_c_scope* scope) {
  const takt::stay here;
  delete scope;
}
}

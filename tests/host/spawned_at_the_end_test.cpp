// What has been spawned, and the end of the process: exit() waits for it, wherever it was spawned, but in a call; and a
// child of fork(2) has none of it. Without threads it runs where it is waited for.
#include "child.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <functional>

namespace {

std::atomic<bool> refuse_threads{false};

// Of a child that ends by exit(): what it has written, a letter for each function that ran.
struct ended {
  int status;
  std::string wrote;
};

int to_parent = -1;
void write_letter(char c) { HOST_CHECK(write(to_parent, &c, 1) == 1); }

ended in_child(const std::function<void()>& body) {
  int ends[2];
  HOST_CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    close(ends[0]);
    to_parent = ends[1];
    body();
    std::exit(0);
  }
  close(ends[1]);
  ended result{host::wait_for(child), {}};
  for (char c = 0; read(ends[0], &c, 1) == 1;) result.wrote += c;
  close(ends[0]);
  return result;
}

void check(const char* what, ended e, int status, const std::string& wrote, bool in_order = true) {
  if (!in_order) std::sort(e.wrote.begin(), e.wrote.end());
  HOST_CHECK(WIFEXITED(e.status) && WEXITSTATUS(e.status) == status, "%s: wait status 0x%x", what,
             static_cast<unsigned>(e.status));
  HOST_CHECK(e.wrote == wrote, "%s: '%s'", what, e.wrote.c_str());
}

void exit_waits() {
  const ended e = in_child([] {
    for (int i = 0; i < 50; ++i) {
      takt::spawn([i] {
        host::let_a_beat_pass();
        write_letter('a');
        if (i == 49) takt::spawn([] { write_letter('a'); });
      });
    }
    takt::fork_join([] { takt::spawn([] { write_letter('a'); }); }, [] {});
  });
  check("exit", e, 0, std::string(52, 'a'));
}

void exit_in_a_spawned_function_does_not_wait() {
  check("exit in a spawned function", in_child([] {
          std::atomic<bool> never{false};
          takt::spawn([] { std::exit(3); });
          never.wait(false);
        }),
        3, "");
}

void runs_at_once_after_the_end() {
  check("after the end", in_child([] {
          // Handlers run in the reverse order: this one after takt's.
          HOST_CHECK(std::atexit([] {
                       takt::spawn([] { write_letter('c'); });
                       write_letter('d');
                     }) == 0);
          takt::spawn([] { write_letter('a'); });
          // And this one before it.
          HOST_CHECK(std::atexit([] {
                       takt::wait_for_spawned();
                       takt::spawn([] { write_letter('b'); });
                     }) == 0);
        }),
        0, "abcd");
}

void a_forked_child_has_none() {
  check("fork", in_child([] {
          // They outlive this function.
          static std::atomic<bool> may_end{false};
          for (int i = 0; i < 5; ++i) {
            takt::spawn([] {
              HOST_CHECK(host::wait_until([] { return may_end.load(); }));
              write_letter('p');
            });
          }
          const pid_t child = fork();
          HOST_CHECK(child >= 0);
          if (child == 0) {
            takt::wait_for_spawned();
            write_letter('c');
            takt::spawn([] { write_letter('d'); });
            std::exit(0);
          }
          HOST_CHECK(host::wait_for(child) == 0);
          may_end = true;
        }),
        0, "cdppppp", false);
}

void fork_in_a_spawned_function() {
  check("fork in a spawned function", in_child([] {
          takt::spawn([] {
            takt::spawn(takt::priority::low, [] { write_letter('p'); });
            const pid_t child = fork();
            HOST_CHECK(child >= 0);
            if (child == 0) {
              // Alone, in what is left of a call.
              takt::spawn([] { write_letter('c'); });
              takt::fork_join([] { write_letter('d'); }, [] { write_letter('e'); });
              takt::wait_for_spawned();
              std::exit(0);
            }
            HOST_CHECK(host::wait_for(child) == 0);
          });
        }),
        0, "cdep", false);
}

// On the thread that waits for it, which goes on in the child.
void fork_where_it_is_waited_for() {
  check("fork where it is waited for", in_child([] {
          refuse_threads = true;
          static pid_t child;
          takt::spawn([] {
            child = fork();
            HOST_CHECK(child >= 0);
            if (child == 0) write_letter('c');
          });
          takt::spawn(takt::priority::low, [] { write_letter('p'); });
          takt::wait_for_spawned();
          if (child == 0) {
            write_letter('d');
          } else {
            HOST_CHECK(host::wait_for(child) == 0);
          }
        }),
        0, "cdp", false);
}

void without_threads() {
  check("without threads", in_child([] {
          refuse_threads = true;
          for (int i = 0; i < 5; ++i) takt::spawn([] { write_letter('a'); });
          takt::wait_for_spawned();
          write_letter('b');
          takt::spawn([] { write_letter('c'); });
        }),
        0, "aaaaabc");
}

}  // namespace

extern "C" int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*f)(void*), void* p) noexcept {
  using signature = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (refuse_threads.load()) return EAGAIN;
  static const auto real = reinterpret_cast<signature>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(t, a, f, p);
}

int main() {
  host::skip_under_thread_sanitizer();
  const bool forks_anywhere = host::children_start_threads();
  for (const char* const workers : {"1", "2", "4"}) {
    setenv("TAKT_WORKERS", workers, 1);
    exit_waits();
    exit_in_a_spawned_function_does_not_wait();
    runs_at_once_after_the_end();
    without_threads();
    fork_where_it_is_waited_for();
    if (!forks_anywhere) continue;
    a_forked_child_has_none();
    fork_in_a_spawned_function();
  }
}

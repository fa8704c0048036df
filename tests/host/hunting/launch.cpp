// hunt_launch WORD... -- PROGRAM ARGUMENT...: makes this process what a host would hand over, and becomes PROGRAM. What
// does not survive exec is in preload.cpp.
//
//   env=NAME=VALUE                  for PROGRAM alone
//   block=all | block=NUMBER        signals blocked
//   ignore=NUMBER                   a signal ignored
//   limit=NAME:SOFT                 resource limit: as, data, stack, nproc, memlock, nofile, sigpending; 'max': none
//   refuse=ERROR:CALL,CALL...       system calls that a filter answers with eperm, enosys, eacces, einval, enomem, or
//   kill cpu=NUMBER                      one CPU, the so-manieth of those that this process may use real-time=PRIORITY,
//   nice=LEVEL, batch close=FD                        a descriptor that is closed user=NUMBER another user, without
//   privileges no-proc                         an empty /proc, in a mount namespace of its own same-addresses,
//   old-layout      no randomisation; mappings grow upwards wide-timers=NANOSECONDS         timers may be late by so
//   much
//
// Exit code 77: this machine or user cannot do that (a line says what); 2: wrong argument.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

[[noreturn]] void refuse(std::string_view why, std::string_view what) {
  std::fprintf(stderr, "hunt_launch: %.*s '%.*s'\n", static_cast<int>(why.size()), why.data(),
               static_cast<int>(what.size()), what.data());
  std::exit(2);
}

void must(bool done, std::string_view what) {
  if (done) return;
  std::fprintf(stderr, "hunt_launch: %.*s: %s\n", static_cast<int>(what.size()), what.data(), std::strerror(errno));
  std::exit(77);
}

long number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) refuse("not a number:", text);
  return value;
}

// Up to the next separator; `text` moves past it.
std::string_view take(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

template <class T>
struct named {
  std::string_view name;
  T value;
};

template <class T, std::size_t N>
T find(const named<T> (&list)[N], std::string_view name) {
  for (const auto& entry : list) {
    if (entry.name == name) return entry.value;
  }
  refuse("unknown name", name);
}

void set_limit(std::string_view text) {
  static constexpr named<int> k_limits[] = {{"as", RLIMIT_AS},           {"data", RLIMIT_DATA},
                                            {"stack", RLIMIT_STACK},     {"nproc", RLIMIT_NPROC},
                                            {"memlock", RLIMIT_MEMLOCK}, {"nofile", RLIMIT_NOFILE},
                                            {"sigpending", RLIMIT_SIGPENDING}};
  const std::string_view all = text;
  const int which = find(k_limits, take(text, ':'));
  const rlim_t value = text == "max" ? RLIM_INFINITY : static_cast<rlim_t>(number(text));
  const rlimit limit{value, value};
  must(setrlimit(static_cast<__rlimit_resource>(which), &limit) == 0, all);
}

// A filter as systemd's and Docker's are: some calls are refused, all others allowed.
void install_filter(std::string_view text) {
  static constexpr named<std::uint32_t> k_answers[] = {
      {"eperm", SECCOMP_RET_ERRNO | EPERM},   {"enosys", SECCOMP_RET_ERRNO | ENOSYS},
      {"eacces", SECCOMP_RET_ERRNO | EACCES}, {"einval", SECCOMP_RET_ERRNO | EINVAL},
      {"enomem", SECCOMP_RET_ERRNO | ENOMEM}, {"kill", SECCOMP_RET_KILL_PROCESS}};
  static constexpr named<int> k_calls[] = {{"sched_setaffinity", SYS_sched_setaffinity},
                                           {"sched_getaffinity", SYS_sched_getaffinity},
                                           {"sched_yield", SYS_sched_yield},
                                           {"sched_setscheduler", SYS_sched_setscheduler},
                                           {"sched_getscheduler", SYS_sched_getscheduler},
                                           {"sched_getparam", SYS_sched_getparam},
                                           {"setpriority", SYS_setpriority},
                                           {"getpriority", SYS_getpriority},
                                           {"getcpu", SYS_getcpu},
                                           {"membarrier", SYS_membarrier},
                                           {"tgkill", SYS_tgkill},
                                           {"tkill", SYS_tkill},
                                           {"kill", SYS_kill},
                                           {"rt_sigqueueinfo", SYS_rt_sigqueueinfo},
                                           {"rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo},
                                           {"sigaltstack", SYS_sigaltstack},
                                           {"madvise", SYS_madvise},
                                           {"mprotect", SYS_mprotect},
                                           {"munmap", SYS_munmap},
                                           {"mincore", SYS_mincore},
                                           {"mlock", SYS_mlock},
                                           {"clone3", SYS_clone3},
                                           {"prlimit64", SYS_prlimit64},
                                           {"sysinfo", SYS_sysinfo},
                                           {"uname", SYS_uname},
                                           {"prctl", SYS_prctl},
                                           {"rseq", SYS_rseq},
                                           {"timer_create", SYS_timer_create},
                                           {"openat", SYS_openat},
                                           {"getrandom", SYS_getrandom},
                                           {"clock_gettime", SYS_clock_gettime}};
#if defined(__x86_64__)
  constexpr std::uint32_t k_machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr std::uint32_t k_machine = AUDIT_ARCH_AARCH64;
#else
#error "seccomp's name of this machine"
#endif
  const std::uint32_t answer = find(k_answers, take(text, ':'));
  const auto step = [](unsigned code, std::uint32_t k, unsigned yes = 0, unsigned no = 0) {
    return sock_filter{static_cast<__u16>(code), static_cast<__u8>(yes), static_cast<__u8>(no), k};
  };
  std::vector<sock_filter> program{
      step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      step(BPF_JMP | BPF_JEQ | BPF_K, k_machine, 1, 0),
      step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  while (!text.empty()) {
    const int call = find(k_calls, take(text, ','));
    program.push_back(step(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(step(BPF_RET | BPF_K, answer));
  }
  program.push_back(step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0,
       "filter");
}

void keep_one_cpu(long wanted) {
  cpu_set_t usable;
  must(sched_getaffinity(0, sizeof usable, &usable) == 0, "sched_getaffinity");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &usable) || wanted-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    must(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
    return;
  }
  errno = ENOENT;
  must(false, "cpu");
}

void apply(std::string_view word) {
  std::string_view value = word;
  const std::string_view name = take(value, '=');
  if (name == "env") {
    const std::string variable(take(value, '='));
    must(setenv(variable.c_str(), std::string(value).c_str(), 1) == 0, word);
  } else if (name == "block") {
    sigset_t set;
    sigemptyset(&set);
    if (value == "all") {
      sigfillset(&set);
    } else {
      sigaddset(&set, static_cast<int>(number(value)));
    }
    must(sigprocmask(SIG_BLOCK, &set, nullptr) == 0, word);
  } else if (name == "ignore") {
    must(signal(static_cast<int>(number(value)), SIG_IGN) != SIG_ERR, word);
  } else if (name == "limit") {
    set_limit(value);
  } else if (name == "refuse") {
    install_filter(value);
  } else if (name == "cpu") {
    keep_one_cpu(number(value));
  } else if (name == "real-time" || name == "batch") {
    const sched_param parameter{name == "batch" ? 0 : static_cast<int>(number(value))};
    must(sched_setscheduler(0, name == "batch" ? SCHED_BATCH : SCHED_RR, &parameter) == 0, word);
  } else if (name == "nice") {
    must(setpriority(PRIO_PROCESS, 0, static_cast<int>(number(value))) == 0, word);
  } else if (name == "close") {
    close(static_cast<int>(number(value)));
  } else if (name == "user") {
    const auto id = static_cast<uid_t>(number(value));
    must(setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0, word);
  } else if (name == "no-proc") {
    must(unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
             mount("none", "/proc", "tmpfs", 0, nullptr) == 0,
         word);
  } else if (name == "same-addresses" || name == "old-layout") {
    const unsigned long layout = name == "old-layout" ? ADDR_COMPAT_LAYOUT : ADDR_NO_RANDOMIZE;
    must(personality(static_cast<unsigned long>(personality(0xffffffff)) | layout) != -1, word);
  } else if (name == "wide-timers") {
    must(prctl(PR_SET_TIMERSLACK, number(value)) == 0, word);
  } else {
    refuse("unknown word", word);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) apply(argv[i]);
  if (i + 1 >= argc) refuse("no program behind", "--");
  execvp(argv[i + 1], argv + i + 1);
  must(false, argv[i + 1]);
}

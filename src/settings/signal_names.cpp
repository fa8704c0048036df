#include "settings/signal_names.hpp"

#include <csignal>

#include <charconv>
#include <cstring>
#include <string_view>

namespace takt::settings {

namespace {

struct named {
  std::string_view name;
  int number;
};
constexpr named k_usable[] = {{"URG", SIGURG},     {"USR1", SIGUSR1}, {"USR2", SIGUSR2},     {"IO", SIGIO},
                              {"WINCH", SIGWINCH}, {"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}};

bool parse(std::string_view text, int& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size();
}

}  // namespace

bool may_use_signal(int number) {
  for (const named& s : k_usable) {
    if (s.number == number) return true;
  }
  return number >= SIGRTMIN && number <= SIGRTMAX;
}

int signal_named(const char* text) {
  std::string_view name = text;
  int number = 0;
  if (parse(name, number)) return may_use_signal(number) ? number : 0;
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (const named& s : k_usable) {
    if (s.name == name) return s.number;
  }
  const bool from_least = name.starts_with("RTMIN");
  if (!from_least && !name.starts_with("RTMAX")) return 0;
  const std::string_view offset = name.substr(5);
  // from_chars takes a minus sign, but no plus.
  if (!offset.empty()) {
    if (offset.size() < 2 || offset[0] != (from_least ? '+' : '-')) return 0;
    if (offset[1] == '-' || !parse(offset.substr(1), number)) return 0;
  }
  if (number < 0 || number > SIGRTMAX - SIGRTMIN) return 0;
  return from_least ? SIGRTMIN + number : SIGRTMAX - number;
}

}  // namespace takt::settings

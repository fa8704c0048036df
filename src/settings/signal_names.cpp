#include "settings/signal_names.hpp"
#include "settings/named.hpp"

#include <csignal>

#include <charconv>
#include <cstring>
#include <string_view>

namespace takt::settings {

namespace {

constexpr named<int> k_usable[] = {{"URG", SIGURG},     {"USR1", SIGUSR1}, {"USR2", SIGUSR2},     {"IO", SIGIO},
                              {"WINCH", SIGWINCH}, {"ALRM", SIGALRM}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}};

bool parse(std::string_view text, int& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size();
}

}  // namespace

bool may_use_signal(int number) {
  return has(k_usable, number) || (number >= SIGRTMIN && number <= SIGRTMAX);
}

int signal_named(const char* text) {
  std::string_view name = text;
  int number = 0;
  if (parse(name, number)) return may_use_signal(number) ? number : 0;
  if (name.starts_with("SIG")) name.remove_prefix(3);
  if (const named<int>* const usable = find(k_usable, name); usable != nullptr) return usable->value;
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

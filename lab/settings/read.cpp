// The laboratory's own settings, and its variables in the environment.
#include "lab/settings/chosen.hpp"
#include "settings/sizes.hpp"
#include "settings/values.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace takt {

namespace {

bool parse(std::string_view text, std::uint64_t least, std::uint64_t most, std::uint64_t& out) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || value < least || value > most) return false;
  out = value;
  return true;
}

bool parse_chunking(std::string_view text, lab::settings& out) {
  if (parse(text, 1, lab::k_most_chunk, out.chunk)) {
    out.chunking = lab::chunking::fixed;
    return true;
  }
  out.chunking = text == "time" ? lab::chunking::time : lab::chunking::hbc;
  if (text == "time" || text == "hbc") return true;
  return text.starts_with("hbc:") && parse(text.substr(4), 1, lab::k_most_target_polls, out.target_polls);
}

// "1", or "ALPHA:BETA".
bool parse_hybrid(const char* text, lab::settings& out) {
  out.hybrid = std::strcmp(text, "0") != 0;
  if (std::strcmp(text, "0") == 0 || std::strcmp(text, "1") == 0) return true;
  const char* const colon = std::strchr(text, ':');
  if (colon == nullptr) return false;
  return settings::parse_size(std::string(text, colon).c_str(), out.memory_alpha) && out.memory_alpha != 0 &&
         settings::parse_size(colon + 1, out.memory_beta);
}

constexpr settings::named<lab::beat_source> k_sources[] = {
    {"poll", lab::beat_source::poll}, {"timer", lab::beat_source::timer}, {"ping", lab::beat_source::ping}};

// Interrupts need a signal, and threads that are the system's.
bool parse_source(const char* text, lab::settings& out) {
  const auto* const source = settings::find(k_sources, text);
  if (source == nullptr) return false;
  out.beats = source->value;
  const char* const signal = std::getenv("TAKT_SIGNAL");
  const bool sends_none = signal != nullptr && std::strcmp(signal, "none") == 0;
  return out.beats == lab::beat_source::poll || (!sends_none && std::getenv("TAKT_SIM") == nullptr);
}

template <class Parse>
void read(const char* variable, const char* wants, Parse parse_it) {
  const char* const v = std::getenv(variable);
  if (v == nullptr || parse_it(v)) return;
  // A run with something else would be taken for one with what was asked for.
  std::fprintf(stderr, "takt: %s='%s' is not %s\n", variable, v, wants);
  std::exit(2);
}

const char* wrong_with(const lab::settings& s) noexcept {
  if (s.chunking == lab::chunking::fixed && (s.chunk == 0 || s.chunk > lab::k_most_chunk))
    return "takt::lab::choose: chunk out of range";
  if (s.chunking == lab::chunking::hbc && (s.target_polls == 0 || s.target_polls > lab::k_most_target_polls))
    return "takt::lab::choose: target_polls out of range";
  if (s.memory_alpha == 0) return "takt::lab::choose: memory_alpha must not be 0";
  if (s.memory_k == 0) return "takt::lab::choose: memory_k must not be 0";
  return nullptr;
}

}  // namespace

void settings::read_others() {
  lab::settings s;
  read("TAKT_BEAT_SOURCE", "poll, or without TAKT_SIM and TAKT_SIGNAL=none: timer or ping",
       [&s](const char* v) { return parse_source(v, s); });
  read("TAKT_CHUNKING", "time, hbc, hbc:POLLS with 1 to 1000 polls, or a number from 1 to 100000",
       [&s](const char* v) { return parse_chunking(v, s); });
  read("TAKT_HYBRID", "0, 1, or ALPHA:BETA in bytes with ALPHA from 1 on (such as 1024:16)",
       [&s](const char* v) { return parse_hybrid(v, s); });
  read("TAKT_MEMORY_K", "a number of bytes above 0 (such as 4096 or 64K)",
       [&s](const char* v) { return parse_size(v, s.memory_k) && s.memory_k != 0; });
  lab::detail::chosen = s;
}

lab::settings lab::choose(const settings& wanted) {
  if (const char* const wrong = wrong_with(wanted); wrong != nullptr) throw std::invalid_argument(wrong);
  return std::exchange(detail::chosen, wanted);
}

}  // namespace takt

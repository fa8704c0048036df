// A beat's signal at every place in a piece of fast path, one run for each place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace takt_steps {

/// A text that a signal handler may add to: it has its room from the start.
class story {
 public:
  void clear() noexcept { length_ = 0; }
  story& operator<<(const char* text) noexcept {
    for (; *text != 0 && length_ < text_.size(); ++text) text_[length_++] = *text;
    return *this;
  }
  story& operator<<(long number) noexcept {
    char digits[24];
    char* at = digits + sizeof digits - 1;
    *at = 0;
    auto left = static_cast<unsigned long>(number < 0 ? -number : number);
    do {
      *--at = static_cast<char>('0' + left % 10);
    } while ((left /= 10) != 0);
    if (number < 0) *--at = '-';
    return *this << at;
  }
  std::string text() const { return {text_.data(), length_}; }

 private:
  std::array<char, 2000> text_;
  std::size_t length_ = 0;
};

/// Code around the fast paths of one kind. It runs inside a parallel call, on one worker.
struct piece {
  const char* name;
  /// Forgets what its sites have learned.
  void (*prepare)();
  std::uint64_t (*run)();
  std::uint64_t answer;
};

// --- the pieces: pieces.cpp, compiled in the form that is looked at -------------------------------------------------

const std::vector<piece>& pieces();
/// Whether signals come at TAKT_POINT()s, as in explorations, and not at each instruction.
extern const bool k_has_points;

// --- what they call ---------------------------------------------------------------------------------------------

/// Something that the piece's own code does: part of what is compared.
void note(const char* what, std::uint64_t number = 0) noexcept;

// --- the runtime as a signal handler finds it --------------------------------------------------------------------

/// The piece begins here: head of the latent stack, credit and beats as they always are then.
void begin_piece() noexcept;
/// Whether the handler of a signal would do anything now: not inside the runtime.
bool may_see() noexcept;
/// What it would see.
void tell_state(story& to) noexcept;
/// Where the latent stack is.
void tell_heads(story& to) noexcept;
/// The handler, with a beat that is due.
void deliver() noexcept;

}  // namespace takt_steps

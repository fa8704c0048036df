// Amounts of memory as settings write them.
#pragma once

#include <cstdint>

namespace takt::settings {

/// Digits, and then nothing or K, M, G or T (2^10, 2^20 ...). @returns false, and `bytes` is untouched, for anything
/// else and for 2^62 and more.
bool parse_size(const char* text, std::uint64_t& bytes) noexcept;
/// "1%" to "100%".
bool parse_percent(const char* text, unsigned& percent) noexcept;

}  // namespace takt::settings

// Numbers with a point, whatever the program's locale puts there: printf's %f follows it, and JSON has nothing but a
// point.
#pragma once

#include <charconv>

namespace takt::trace {

/// As %.*f writes it in the locale "C". Room for what 64 bits can count, and for up to 20 digits behind the point.
class decimal {
 public:
  decimal(double value, int digits) noexcept {
    *std::to_chars(text_, text_ + sizeof text_ - 1, value, std::chars_format::fixed, digits).ptr = '\0';
  }
  const char* text() const noexcept { return text_; }

 private:
  char text_[48];
};

}  // namespace takt::trace

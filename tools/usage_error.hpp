// What a command throws when its user asked for something that cannot be.
#pragma once

#include <stdexcept>

namespace takt::tools {

// Bad arguments; what() is one line. The command prints it and exits with code 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace takt::tools

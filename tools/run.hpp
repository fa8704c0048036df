// takt run: a program whose allocations takt sees.
#pragma once

namespace takt::tools {

// @returns the exit code; it does not return when the program was started.
int run_command(int argc, char** argv);

}  // namespace takt::tools

// The `takt tune` command.
#pragma once

namespace takt::tools {

// Measures tau on several programs, prints it with the beats it implies and run time against beat, and writes the
// settings file that the runtime reads. argv[0] is the name of the command.
// Returns the exit code: 0, 1 if tau could not be measured or a file not be written after all, 2 for bad arguments.
int tune_command(int argc, char** argv);

}  // namespace takt::tools

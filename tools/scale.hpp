// The `takt scale` command.
#pragma once

namespace takt::tools {

// Runs a program on simulated machines with several numbers of workers, and says how it would
// scale. argv[0] is the name of the command. Returns the exit code: 0, or 2 for bad arguments and
// for a program that cannot be simulated.
int scale_command(int argc, char** argv);

}  // namespace takt::tools

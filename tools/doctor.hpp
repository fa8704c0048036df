// The `takt doctor` command.
#pragma once

namespace takt::tools {

// Prints what takt sees: CPUs, quota, topology, clock, configuration, and the measured cost of
// a promotion with the beat interval it implies. argv[0] is the name of the command.
// Returns the exit code: 0, or 2 for bad arguments.
int doctor_command(int argc, char** argv);

}  // namespace takt::tools

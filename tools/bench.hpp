// The `takt bench` command.
#pragma once

namespace takt::tools {

// Runs benchmark problems with several systems in turn and compares them. argv[0] is the name
// of the command. Returns the exit code: 0, 1 when an answer was wrong or a runner failed,
// 2 for bad arguments, 128 + N when signal N has stopped it before its end; then what was measured so
// far has been written all the same.
int bench_command(int argc, char** argv);

}  // namespace takt::tools

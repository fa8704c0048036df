// The `takt trace` command.
#pragma once

namespace takt::tools {

// Runs a program with TAKT_TRACE and writes what its workers did over time: as JSON for Perfetto and
// chrome://tracing, and as a page. argv[0] is the name of the command. Returns the exit code: that of
// the program, or 2 for bad arguments and for a program that leaves no trace.
int trace_command(int argc, char** argv);

}  // namespace takt::tools

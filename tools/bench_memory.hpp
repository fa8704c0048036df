// `takt bench memory`: what schedules need of memory, on simulated machines.
#pragma once

namespace takt::tools {

// Becomes the script that makes the page (bench/memory/report.py), with the programs that it runs. Returns only if that
// cannot be, with the exit code: 2, and one line on stderr.
int memory_command(int argc, char** argv);

}  // namespace takt::tools

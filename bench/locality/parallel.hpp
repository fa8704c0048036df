// A program of bench/locality is compiled once for each system: this is the system that it is compiled for.
#pragma once

#include TAKT_LOCALITY_SYSTEM

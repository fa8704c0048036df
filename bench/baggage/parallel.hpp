// A program of bench/baggage is compiled once for each system: this is the system that it is compiled for.
// Each system has an inline namespace of its own: in a program with several, an inline function must not be another's.
#pragma once

#include TAKT_BAGGAGE_SYSTEM

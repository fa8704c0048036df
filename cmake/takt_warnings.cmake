# The warnings of takt's own targets. They are no part of what takt hands to its users,
# so a library that is installed links them as $<BUILD_INTERFACE:takt_warnings>:
# otherwise the exported package would name a target that outside projects do not have.
option(TAKT_WERROR "Treat warnings as errors in takt's own targets" OFF)

add_library(takt_warnings INTERFACE)
target_compile_options(takt_warnings INTERFACE
  -Wall
  -Wextra
  -Wpedantic
  -Wshadow
  -Wconversion
  # Part of -Wconversion for Clang alone; one set of rules for both compilers.
  -Wno-sign-conversion
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Wcast-qual
  -Wundef
  $<$<BOOL:${TAKT_WERROR}>:-Werror>)

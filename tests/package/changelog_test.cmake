# The changelog begins with the version that is built, with a date, and names its ABI version; so does the vcpkg port.
#
# Variables: SOURCES (takt's folder), VERSION
file(STRINGS "${SOURCES}/CHANGELOG.md" headings REGEX "^## ")
list(GET headings 0 heading)
if(NOT heading MATCHES "^## ([0-9.]+), 20[0-9][0-9]-[01][0-9]-[0-3][0-9]$" OR NOT CMAKE_MATCH_1 STREQUAL VERSION)
  message(FATAL_ERROR "CHANGELOG.md begins with '${heading}', not with '## ${VERSION}, YEAR-MONTH-DAY'")
endif()
file(STRINGS "${SOURCES}/abi/takt/abi.hpp" abi REGEX "^#define TAKT_ABI_VERSION [0-9]+$")
string(REGEX REPLACE "^.* " "" abi "${abi}")
file(READ "${SOURCES}/CHANGELOG.md" text)
if(NOT text MATCHES "ABI version ([0-9]+)" OR NOT CMAKE_MATCH_1 STREQUAL abi)
  message(FATAL_ERROR "the first ABI version in CHANGELOG.md is '${CMAKE_MATCH_1}'; abi/takt/abi.hpp has ${abi}")
endif()
file(READ "${SOURCES}/packaging/vcpkg/ports/takt/vcpkg.json" port)
string(JSON version GET "${port}" version)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "packaging/vcpkg/ports/takt/vcpkg.json has version ${version}, not ${VERSION}")
endif()

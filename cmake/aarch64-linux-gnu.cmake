# Builds for ARM64 with Debian's cross compiler; programs run under qemu-user. Used by the preset arm64.
#
# Debian's compiler finds headers that are the same everywhere (Boost, nlohmann-json) in /usr/include by itself. What has
# to be built for ARM64 is Boost.Context alone: ./check unpacks Debian's package into TAKT_ARM64_PACKAGES, where nothing of
# this machine is changed by it. GoogleTest is built from Debian's sources (tests/CMakeLists.txt).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(TAKT_ARM64_PACKAGES "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-packages" CACHE PATH
  "Debian's packages for ARM64, unpacked")
set(TAKT_ARM64_PAGE 4096 CACHE STRING "Page size of the emulated machine: 4096, 16384 or 65536")

# Libraries of this machine are of no use; headers and programs are.
set(CMAKE_FIND_ROOT_PATH "${TAKT_ARM64_PACKAGES}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
# nlohmann-json's package file is this machine's, and names headers only.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# The package files of Debian's Boost ask for all of Boost.
set(Boost_NO_BOOST_CMAKE ON)
set(BOOST_INCLUDEDIR /usr/include)
set(BOOST_LIBRARYDIR "${TAKT_ARM64_PACKAGES}/usr/lib/aarch64-linux-gnu")
set(Boost_USE_STATIC_LIBS ON)

# Found all the same, and of this machine.
set(CMAKE_DISABLE_FIND_PACKAGE_TBB ON)

# The variables of try_compile()'s projects, which read this file again.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TAKT_ARM64_PACKAGES TAKT_ARM64_PAGE)

# qemu weakens one order of ARMv8 (src/sync/atomic.hpp).
set(CMAKE_CXX_FLAGS_INIT -DTAKT_EMULATED)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
if(NOT TAKT_ARM64_PAGE EQUAL 4096)
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -p ${TAKT_ARM64_PAGE})
endif()
# CMake does not find out what the files of a machine named here are like, and asks for it where it writes an RPATH.
set(CMAKE_EXECUTABLE_FORMAT ELF)

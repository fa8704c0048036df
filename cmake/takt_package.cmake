# Debian packages, by `cmake --workflow --preset deb`, or `cpack -G DEB` in any build tree:
#
# libtakt6     the shared library, named after its soname, so that two ABI versions can be installed beside each other
# libtakt-dev  headers, both libraries, files for CMake and pkg-config
# takt-tools   the takt command and, where it was built, the compiler plugin with taktcc and takt++
#
# Where they install to /usr/lib/ARCHITECTURE: with CMAKE_INSTALL_PREFIX=/usr, as the preset has it.
find_program(TAKT_DPKG NAMES dpkg)
find_program(TAKT_GZIP NAMES gzip)
if(NOT TAKT_DPKG OR NOT TAKT_GZIP)
  return()
endif()

get_target_property(takt_soversion takt_shared SOVERSION)
set(takt_package_runtime "libtakt${takt_soversion}")
set(takt_package_dev libtakt-dev)
set(takt_package_tools takt-tools)

set(TAKT_PACKAGE_RELEASE 1 CACHE STRING "Debian's revision of the packages")
# Who makes packages answers for them, and says so to Debian's tools as well. An address under .invalid is nobody's.
set(maintainer "The takt authors")
set(address takt@packages.invalid)
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(address "$ENV{DEBEMAIL}")
  if(NOT "$ENV{DEBFULLNAME}" STREQUAL "")
    set(maintainer "$ENV{DEBFULLNAME}")
  endif()
endif()
set(TAKT_PACKAGE_MAINTAINER "${maintainer} <${address}>" CACHE STRING "Who is named as the maintainer of the packages")
if(TAKT_PACKAGE_MAINTAINER MATCHES "[.]invalid>$")
  message(STATUS "takt: packages would name no maintainer that can be reached: set DEBEMAIL, or TAKT_PACKAGE_MAINTAINER")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME takt)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
# Each package has a summary of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT "${TAKT_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL takt_runtime takt_dev takt_tools)
if(NOT TARGET takt_tool AND NOT TARGET takt_plugin)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL takt_tools)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TAKT_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "${TAKT_PACKAGE_RELEASE}")
set(CPACK_DEBIAN_PACKAGE_SOURCE takt)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libtakt-omp.so needs the library of this build.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src")
set(takt_package_version "${PROJECT_VERSION}-${TAKT_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_TAKT_RUNTIME_PACKAGE_NAME ${takt_package_runtime})
set(CPACK_DEBIAN_TAKT_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_TAKT_RUNTIME_DESCRIPTION "nested parallelism for C++ programs - shared library
takt runs nested forks and loops of C++20 programs in parallel, without a
grain size or a cut-off anywhere in them.
.
This package has the shared library that programs are run with.")
# By the first, packages of programs that are linked with it depend on it; by the second the loader gets to know it.
set(folder "${PROJECT_BINARY_DIR}/packages")
set(shlibs)
foreach(library IN ITEMS takt takt_sim)
  if(library STREQUAL "takt" OR TARGET ${library})
    string(APPEND shlibs "lib${library} ${takt_soversion} ${takt_package_runtime} (>= ${PROJECT_VERSION})\n")
  endif()
endforeach()
file(WRITE "${folder}/shlibs" "${shlibs}")
file(WRITE "${folder}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_TAKT_RUNTIME_PACKAGE_CONTROL_EXTRA "${folder}/shlibs" "${folder}/triggers")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/takt_package_finish.cmake")

set(CPACK_DEBIAN_TAKT_DEV_PACKAGE_NAME ${takt_package_dev})
set(CPACK_DEBIAN_TAKT_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TAKT_DEV_PACKAGE_DEPENDS
  "${takt_package_runtime} (= ${takt_package_version}), libboost-context-dev, libc6-dev")
set(CPACK_DEBIAN_TAKT_DEV_DESCRIPTION "nested parallelism for C++ programs - to compile with
takt runs nested forks and loops of C++20 programs in parallel, without a
grain size or a cut-off anywhere in them.
.
This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(CPACK_DEBIAN_TAKT_TOOLS_PACKAGE_NAME ${takt_package_tools})
set(CPACK_DEBIAN_TAKT_TOOLS_PACKAGE_SECTION devel)
set(takt_package_plugin)
if(TARGET takt_plugin)
  get_property(llvm GLOBAL PROPERTY TAKT_OPENMP_LLVM)
  # What taktcc links is the other package's.
  set(CPACK_DEBIAN_TAKT_TOOLS_PACKAGE_DEPENDS "${takt_package_dev} (= ${takt_package_version})")
  set(CPACK_DEBIAN_TAKT_TOOLS_PACKAGE_RECOMMENDS "clang-${llvm}, libomp-${llvm}-dev")
  set(takt_package_plugin ", and
taktcc and takt++, which compile OpenMP programs for takt with Clang ${llvm}")
endif()
set(CPACK_DEBIAN_TAKT_TOOLS_DESCRIPTION "nested parallelism for C++ programs - tools
takt runs nested forks and loops of C++20 programs in parallel, without a
grain size or a cut-off anywhere in them.
.
This package has the takt command, which looks at a machine (doctor, tune)
and predicts a program on more cores (scale)${takt_package_plugin}.")

# --- What Debian wants to find in /usr/share/doc of each package -----------------------------------------------------

# One entry of the packages' changelog; the project's own has the rest.
file(STRINGS "${PROJECT_SOURCE_DIR}/CHANGELOG.md" heading REGEX "^## ${PROJECT_VERSION}[ ,]")
string(REGEX MATCH "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]" date "${heading}")
if(NOT date)
  message(FATAL_ERROR "CHANGELOG.md has no line '## ${PROJECT_VERSION}, YEAR-MONTH-DAY'")
endif()
execute_process(COMMAND date --utc --date "${date}" "+%a, %d %b %Y %T +0000"
  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${folder}/changelog.Debian" "takt (${takt_package_version}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; /usr/share/doc/${takt_package_dev}/changelog.gz says what is new.

 -- ${TAKT_PACKAGE_MAINTAINER}  ${date}
")
configure_file("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${folder}/changelog" COPYONLY)
foreach(name IN ITEMS changelog changelog.Debian)
  # Without a time in it.
  execute_process(COMMAND "${TAKT_GZIP}" -9nf "${folder}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(STRINGS "${PROJECT_SOURCE_DIR}/LICENSE" lines)
list(FILTER lines INCLUDE REGEX "^Copyright ")
string(REGEX REPLACE "^Copyright \\(c\\) " "" holder "${lines}")
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "^.*(Permission is hereby)" "\\1" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(WRITE "${folder}/copyright" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: takt

Files: *
Copyright: ${holder}
License: Expat
 ${license}
")
foreach(component IN ITEMS runtime dev tools)
  # Only packages have them: who installs a build tree gets share/doc/takt.
  set(documents "${folder}/copyright" "${folder}/changelog.Debian.gz")
  if(component STREQUAL "dev")
    list(APPEND documents "${folder}/changelog.gz")
  endif()
  install(FILES ${documents}
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${takt_package_${component}}"
    COMPONENT takt_${component}
    EXCLUDE_FROM_ALL)
endforeach()

include(CPack)

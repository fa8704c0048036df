# Which build type there is when none was given: Release and a line that says so where takt is all that is built, and
# the user's, untouched, where it is a part of something else or was installed.
#
# Variables: SOURCES (takt's folder), HERE (this folder), PREFIX (an installed takt), GENERATOR, COMPILER, WORK (is
# emptied)
file(REMOVE_RECURSE "${WORK}")
unset(ENV{CMAKE_BUILD_TYPE})
set(made "takt: no CMAKE_BUILD_TYPE was given, so it is Release")
set(empty "takt: CMAKE_BUILD_TYPE is empty: all is compiled without optimisation")

# expect(NAME BUILD_TYPE LINE ARGUMENTS...): what is in the cache afterwards, and which of the two lines is said, if
# any.
function(expect name type line)
  set(build "${WORK}/${name}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -B "${build}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  file(STRINGS "${build}/CMakeCache.txt" cached REGEX "^CMAKE_BUILD_TYPE:")
  string(REGEX REPLACE "^[^=]*=" "" cached "${cached}")
  if(NOT code EQUAL 0 OR NOT cached STREQUAL type)
    message(FATAL_ERROR "${name}: exit code ${code}, build type '${cached}' and not '${type}'\n${said}")
  endif()
  foreach(text IN ITEMS made empty)
    string(FIND "${said}" "${${text}}" place)
    if(text STREQUAL line AND place EQUAL -1)
      message(FATAL_ERROR "${name}: does not say '${${text}}'\n${said}")
    elseif(NOT text STREQUAL line AND NOT place EQUAL -1)
      message(FATAL_ERROR "${name}: says '${${text}}'\n${said}")
    endif()
  endforeach()
endfunction()

set(alone -S "${SOURCES}")
expect(alone Release made ${alone})
# The library, and nothing that takes longer to build or needs more than a compiler and Boost.
file(GLOB parts RELATIVE "${WORK}/alone" "${WORK}/alone/*/CMakeFiles")
list(SORT parts)
if(NOT parts STREQUAL "site/CMakeFiles;src/CMakeFiles")
  message(FATAL_ERROR "by default these are built: ${parts}")
endif()
expect(alone_debug Debug "" ${alone} -DCMAKE_BUILD_TYPE=Debug)
set(inside -S "${HERE}/inside" "-DTAKT=${SOURCES}")
expect(inside "" empty ${inside})
expect(inside_flags "" "" ${inside} -DCMAKE_CXX_FLAGS=-O2)
expect(inside_debug Debug "" ${inside} -DCMAKE_BUILD_TYPE=Debug)
set(outside -S "${HERE}/outside" "-DCMAKE_PREFIX_PATH=${PREFIX}" -DOUTSIDE_TARGET=takt::takt)
expect(outside "" empty ${outside})
expect(outside_release Release "" ${outside} -DCMAKE_BUILD_TYPE=Release)

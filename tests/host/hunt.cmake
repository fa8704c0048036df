# The size of the other large pages of ARM64.
takt_add_host_test(large_pages_test)
if(TARGET takt_sim)
  # Opened by name.
  add_dependencies(host_large_pages_test takt_sim)
endif()
add_test(NAME host.large_pages_test_16k COMMAND host_large_pages_test 16384)
set_tests_properties(host.large_pages_test_16k PROPERTIES LABELS host TIMEOUT 300 ENVIRONMENT TAKT_WORKERS=2)

# What tests/host/hunt runs programs with: its launcher, the library that it preloads, and every program of this suite as
# a plug-in. The plug-ins of all are the target takt_hunt_plugins, which is built by name; the default has a few.
#
# Not where programs are emulated: hosts are made of this machine's processes.
if(CMAKE_CROSSCOMPILING)
  return()
endif()

# Imported targets are seen from their own directory only, and conformance_test is of another.
find_package(nlohmann_json REQUIRED)

function(takt_hunt_part name)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE takt_warnings ${CMAKE_DL_LIBS})
  takt_suite_target(host)
  add_dependencies(takt_tests_host ${name})
endfunction()

add_executable(hunt_launch hunting/launch.cpp)
takt_hunt_part(hunt_launch)
add_library(hunt_preload MODULE hunting/preload.cpp)
takt_hunt_part(hunt_preload)
add_executable(hunt_dlopen hunting/dlopen.cpp)
takt_hunt_part(hunt_dlopen)
target_link_libraries(hunt_dlopen PRIVATE Threads::Threads)
add_executable(hunt_witness hunting/witness.cpp)
takt_hunt_part(hunt_witness)
target_link_libraries(hunt_witness PRIVATE takt::static)

find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME host.hunt
  COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/hunt" --fast "${PROJECT_BINARY_DIR}")
# It runs as many programs at a time as there are CPUs. A label of its own, for who wants the rest of the suite quickly.
set_tests_properties(host.hunt PROPERTIES LABELS "host;hunt" TIMEOUT 900 RUN_SERIAL ON)

add_custom_target(takt_hunt_plugins)

# takt_hunt_plugin(PROGRAM): the same sources as a plug-in with a main.
function(takt_hunt_plugin program)
  get_target_property(sources ${program} SOURCES)
  get_target_property(from ${program} SOURCE_DIR)
  list(TRANSFORM sources PREPEND "${from}/" REGEX "^[^/]")
  add_library(hunt_plugin_${program} MODULE EXCLUDE_FROM_ALL ${sources})
  set_target_properties(hunt_plugin_${program} PROPERTIES PREFIX "")
  target_compile_features(hunt_plugin_${program} PRIVATE cxx_std_20)
  foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
    get_target_property(values ${program} ${property})
    if(values)
      set_target_properties(hunt_plugin_${program} PROPERTIES ${property} "${values}")
    endif()
  endforeach()
  add_dependencies(takt_hunt_plugins hunt_plugin_${program})
endfunction()

# After every part of the suite has named its programs.
function(takt_hunt_plugins)
  set(programs hunt_witness)
  if(TARGET conformance_test)
    list(APPEND programs conformance_test)
  endif()
  set(common ${programs})
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets INCLUDE REGEX "^host_")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      list(APPEND programs ${target})
    endif()
  endforeach()
  foreach(program IN LISTS programs)
    takt_hunt_plugin(${program})
  endforeach()
  foreach(program IN LISTS common)
    set_target_properties(hunt_plugin_${program} PROPERTIES EXCLUDE_FROM_ALL OFF)
    add_dependencies(takt_tests_host hunt_plugin_${program})
  endforeach()
endfunction()
cmake_language(DEFER CALL takt_hunt_plugins)

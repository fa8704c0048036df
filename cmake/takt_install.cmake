# Install rules and the package files for find_package(takt) and pkg-config.
#
# Components: takt_runtime (the shared library), takt_dev (what programs are built with), takt_tools (the takt command,
# the plugin: all that says nothing else), takt_bench, takt_license. cmake/takt_package.cmake makes a Debian package of
# each of the first three.
include(CMakePackageConfigHelpers)

set(takt_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/takt")

# One export set per library: the static one names Boost::context, and a project that uses
# the shared one must not need Boost's files.
foreach(kind IN ITEMS static shared)
  if(NOT TARGET takt_${kind})
    continue()
  endif()
  set_property(TARGET takt_${kind} PROPERTY EXPORT_NAME ${kind})
  install(TARGETS takt_${kind} EXPORT takt-${kind}-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT takt_dev
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT takt_runtime NAMELINK_COMPONENT takt_dev
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT takt_dev)
  install(EXPORT takt-${kind}-targets
    NAMESPACE takt::
    DESTINATION "${takt_cmake_dir}"
    COMPONENT takt_dev)
endforeach()

if(BUILD_SHARED_LIBS)
  set(takt_default_kind shared)
else()
  set(takt_default_kind static)
endif()
get_property(LLVM_VERSION_MAJOR GLOBAL PROPERTY TAKT_OPENMP_LLVM)
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/takt-config.cmake.in"
  "${PROJECT_BINARY_DIR}/takt-config.cmake"
  INSTALL_DESTINATION "${takt_cmake_dir}")
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/takt-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/takt-config.cmake"
  "${PROJECT_BINARY_DIR}/takt-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/takt_openmp.cmake"
  DESTINATION "${takt_cmake_dir}"
  COMPONENT takt_dev)

# The prefix is written relative to the .pc file, so that an installed tree can be moved.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR
  BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE takt_pc_dir)
cmake_path(APPEND takt_pc_dir pkgconfig)
file(RELATIVE_PATH takt_pc_to_prefix "${takt_pc_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" takt_pc_to_prefix "${takt_pc_to_prefix}")
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
  set(takt_pc_${dir} "${CMAKE_INSTALL_${dir}}")
  if(NOT IS_ABSOLUTE "${takt_pc_${dir}}")
    string(PREPEND takt_pc_${dir} "\${prefix}/")
  endif()
endforeach()

# Boost.Context, for who links the static library; its folder only where the linker does not look anyway.
set(takt_pc_boost -lboost_context)
find_package(Boost 1.74 QUIET REQUIRED COMPONENTS context)
foreach(property IN ITEMS IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_NONE)
  get_target_property(file Boost::context ${property})
  if(file)
    cmake_path(GET file PARENT_PATH folder)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      set(takt_pc_boost "-L${folder} -lboost_context")
    endif()
    break()
  endif()
endforeach()

# A name that only the static library has: -ltakt is the shared one wherever both are, and builds that take the flags
# apart do not understand -l:libtakt.a.
set(takt_pc_alias "${PROJECT_BINARY_DIR}/libtakt-static.a")
file(CREATE_LINK libtakt.a "${takt_pc_alias}" SYMBOLIC)
install(FILES "${takt_pc_alias}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT takt_dev)

# Three names, as in CMake: takt is the static library, or the shared one where BUILD_SHARED_LIBS was on. A static
# library has all it needs in Libs, not in Libs.private: nobody should have to know of --static to get a program that
# runs.
set(takt_pc_static_cflags "-I\${includedir} -DTAKT_STATIC -pthread")
set(takt_pc_static_libs "-L\${libdir} -ltakt-static ${takt_pc_boost}")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND takt_pc_static_libs " -l${library}")
endforeach()
string(APPEND takt_pc_static_libs " -pthread")
set(takt_pc_shared_cflags "-I\${includedir}")
set(takt_pc_shared_libs "-L\${libdir} -ltakt")
foreach(name IN ITEMS takt takt-static takt-shared)
  set(takt_pc_name ${name})
  string(REGEX REPLACE "^takt-?" "" kind ${name})
  if(NOT kind)
    set(kind ${takt_default_kind})
  endif()
  set(takt_pc_cflags "${takt_pc_${kind}_cflags}")
  set(takt_pc_libs "${takt_pc_${kind}_libs}")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/takt.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT takt_dev)
endforeach()

# What programs are simulated with; it is loaded, and linked only by those without a loader.
if(TARGET takt_sim)
  install(TARGETS takt_sim takt_sim_static
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT takt_dev
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT takt_runtime NAMELINK_SKIP)
endif()

# What takt run preloads.
if(TARGET takt_preload)
  install(TARGETS takt_preload LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/takt" COMPONENT takt_tools)
endif()

# What takt run --openmp loads, with the names by which programs ask for it.
if(TARGET takt_omp_runtime)
  set(takt_openmp_dir "${CMAKE_INSTALL_LIBDIR}/takt/openmp")
  install(TARGETS takt_omp_runtime LIBRARY DESTINATION "${takt_openmp_dir}" COMPONENT takt_tools)
  # In the Python package it lies beside the library.
  set_target_properties(takt_omp_runtime PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../..")
  get_target_property(takt_omp_names takt_omp_runtime TAKT_NAMES)
  foreach(name IN LISTS takt_omp_names)
    set(takt_omp_link "${PROJECT_BINARY_DIR}/openmp-names/${name}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/openmp-names")
    file(CREATE_LINK libtakt-omp.so "${takt_omp_link}" SYMBOLIC)
    install(FILES "${takt_omp_link}" DESTINATION "${takt_openmp_dir}" COMPONENT takt_tools)
  endforeach()
  # What converted programs link.
  install(TARGETS takt_omp_static ARCHIVE DESTINATION "${takt_openmp_dir}/static" COMPONENT takt_tools)
  foreach(kind IN ITEMS static shared)
    install(FILES "${PROJECT_BINARY_DIR}/omp-runtime/lib/${kind}/libomp.so"
      DESTINATION "${takt_openmp_dir}/${kind}" COMPONENT takt_tools)
  endforeach()
endif()

if(TARGET takt_tool)
  install(TARGETS takt_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # For takt scale --machine.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/machines"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/takt"
    FILES_MATCHING PATTERN "*.json")
endif()
if(TARGET takt_manual)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/tools/manual/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
if(TARGET takt_tool)
  set(takt_completion "${PROJECT_SOURCE_DIR}/tools/completion")
  install(FILES "${takt_completion}/takt.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME takt)
  # Debian's zsh looks for what packages have in a folder of its own.
  set(takt_zsh_folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(takt_zsh_folder vendor-completions)
  endif()
  install(FILES "${takt_completion}/_takt" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${takt_zsh_folder}")
endif()
# Programs that only `takt bench` starts, so they are not in anybody's PATH.
foreach(runner IN ITEMS takt-bench-serial takt-bench-takt takt-bench-tbb takt-bench-omp)
  if(TARGET ${runner})
    install(TARGETS ${runner} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/takt" COMPONENT takt_bench)
  endif()
endforeach()
foreach(counter IN ITEMS takt-bench-count-tbb takt-bench-count-omp)
  if(TARGET ${counter})
    install(TARGETS ${counter} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/takt" COMPONENT takt_bench)
  endif()
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT takt_license)

# Install rules and the package files for find_package(takt) and pkg-config.
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
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT takt-${kind}-targets
    NAMESPACE takt::
    DESTINATION "${takt_cmake_dir}")
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
  DESTINATION "${takt_cmake_dir}")

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
configure_file("${CMAKE_CURRENT_LIST_DIR}/takt.pc.in" "${PROJECT_BINARY_DIR}/takt.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/takt.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# What programs are simulated with; it is loaded, and linked only by those without a loader.
if(TARGET takt_sim)
  install(TARGETS takt_sim takt_sim_static
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" NAMELINK_SKIP)
endif()

if(TARGET takt_tool)
  install(TARGETS takt_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # For takt scale --machine.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/machines"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/takt"
    FILES_MATCHING PATTERN "*.json")
endif()
# Programs that only `takt bench` starts, so they are not in anybody's PATH.
foreach(runner IN ITEMS takt-bench-serial takt-bench-takt takt-bench-tbb takt-bench-omp)
  if(TARGET ${runner})
    install(TARGETS ${runner} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/takt")
  endif()
endforeach()
foreach(counter IN ITEMS takt-bench-count-tbb takt-bench-count-omp)
  if(TARGET ${counter})
    install(TARGETS ${counter} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/takt")
  endif()
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

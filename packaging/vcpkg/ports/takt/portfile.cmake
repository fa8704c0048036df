# An overlay port: takt is built from the checkout that this folder lies in, or from TAKT_SOURCE_DIR.
if(DEFINED ENV{TAKT_SOURCE_DIR})
  set(SOURCE_PATH "$ENV{TAKT_SOURCE_DIR}")
else()
  get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
endif()
if(NOT EXISTS "${SOURCE_PATH}/abi/takt/abi.hpp")
  message(FATAL_ERROR
    "takt: no checkout at ${SOURCE_PATH}; set TAKT_SOURCE_DIR (and VCPKG_KEEP_ENV_VARS=TAKT_SOURCE_DIR)")
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/takt)
vcpkg_fixup_pkgconfig()

# The kind of library that the triplet asks for, alone.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(unwanted "libtakt.so*" shared)
else()
  set(unwanted "libtakt*.a" static)
endif()
list(GET unwanted 0 files)
list(GET unwanted 1 kind)
file(GLOB unwanted
  "${CURRENT_PACKAGES_DIR}/lib/${files}"
  "${CURRENT_PACKAGES_DIR}/debug/lib/${files}"
  "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/takt-${kind}.pc"
  "${CURRENT_PACKAGES_DIR}/debug/lib/pkgconfig/takt-${kind}.pc"
  "${CURRENT_PACKAGES_DIR}/share/takt/takt-${kind}-targets*.cmake")
file(REMOVE ${unwanted})
file(REMOVE_RECURSE
  "${CURRENT_PACKAGES_DIR}/debug/include"
  "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

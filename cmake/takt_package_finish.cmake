# Run by CPack on the packages that it has made: takes out the maintainer scripts that call ldconfig, which CPack adds
# to any package with a library in it. Debian wants a trigger in their place (cmake/takt_package.cmake), and the tools'
# need none.
find_program(TAKT_DPKG_DEB NAMES dpkg-deb REQUIRED)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/finish")
  file(REMOVE_RECURSE "${folder}")
  execute_process(COMMAND "${TAKT_DPKG_DEB}" --raw-extract "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
  execute_process(COMMAND "${TAKT_DPKG_DEB}" --root-owner-group -Zxz --build "${folder}" "${package}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${folder}")
endforeach()

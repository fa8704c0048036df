# takt_enable_openmp(TARGET): compiles the C and C++ files of TARGET with -fopenmp and takt's Clang
# plugin, and links takt's runtime, as taktcc and takt++ do.
#
# A shared library gets takt::shared, and the program that uses it must share that runtime; every
# other target gets takt::takt, unless it links takt::static or takt::shared already. Without C++
# in the project it is takt::shared.

# Errors: one line, for a compiler that the plugin does not serve, and when there is no plugin.
function(takt_enable_openmp target)
  set(wrong "takt_enable_openmp(${target})")
  if(ARGN)
    message(FATAL_ERROR "${wrong}: one target, please, not also '${ARGN}'")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${wrong}: there is no such target")
  endif()
  get_target_property(type "${target}" TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "${wrong}: a target of type ${type} has nothing to compile")
  endif()
  get_property(plugin GLOBAL PROPERTY TAKT_OPENMP_PLUGIN)
  get_property(llvm GLOBAL PROPERTY TAKT_OPENMP_LLVM)
  if(NOT plugin)
    message(FATAL_ERROR "${wrong}: this takt was built without its compiler plugin")
  endif()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  get_target_property(sources "${target}" SOURCES)
  set(used)
  foreach(language IN ITEMS C CXX)
    list(JOIN CMAKE_${language}_SOURCE_FILE_EXTENSIONS "|" extensions)
    string(REPLACE "+" "\\+" extensions "${extensions}")
    if(language IN_LIST languages AND sources MATCHES "\\.(${extensions})(;|$)")
      list(APPEND used ${language})
    endif()
  endforeach()
  if(NOT used)
    # Files may be added later: every compiler has to fit.
    set(used ${languages})
    list(FILTER used INCLUDE REGEX "^(C|CXX)$")
  endif()
  foreach(language IN LISTS used)
    set(id "${CMAKE_${language}_COMPILER_ID}")
    set(version "${CMAKE_${language}_COMPILER_VERSION}")
    if(NOT id STREQUAL "Clang" OR NOT version MATCHES "^${llvm}\\.")
      string(REPLACE "CXX" "C++" language "${language}")
      message(FATAL_ERROR
        "${wrong}: the ${language} compiler is ${id} ${version}; takt's plugin is for Clang ${llvm}")
    endif()
    target_compile_options("${target}" PRIVATE
      "$<$<COMPILE_LANGUAGE:${language}>:-fopenmp;-fpass-plugin=${plugin}>")
  endforeach()
  if(TARGET takt_plugin)
    add_dependencies("${target}" takt_plugin)
  endif()

  # The libraries that the program links are those of whom it is linked with.
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    target_link_options("${target}" PUBLIC -fopenmp)
  else()
    target_link_options("${target}" PRIVATE -fopenmp)
  endif()
  get_target_property(linked "${target}" LINK_LIBRARIES)
  if(linked MATCHES "takt::(static|shared|takt)")
    return()
  endif()
  set(runtime takt::takt)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$" OR NOT "CXX" IN_LIST languages)
    set(runtime takt::shared)
  endif()
  if(NOT TARGET ${runtime})
    message(FATAL_ERROR "${wrong}: it needs ${runtime}, which was not found")
  endif()
  # To link only: a C file needs no C++20.
  target_link_libraries("${target}" PRIVATE "$<LINK_ONLY:${runtime}>")
endfunction()

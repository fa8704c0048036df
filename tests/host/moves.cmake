# Other runtimes' frames on a task's stack.
find_package(OpenMP)
if(OpenMP_CXX_FOUND)
  # The compiler's own runtime: libgomp or libomp.
  takt_add_host_test(foreign_openmp_test LIBRARIES takt::static OpenMP::OpenMP_CXX)
endif()
# For another machine there is only this one's library.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(TBB CONFIG)
  if(TBB_FOUND)
    takt_add_host_test(foreign_tbb_test LIBRARIES takt::static TBB::tbb)
  endif()
endif()

# A plug-in of the user's that can be unloaded: unique symbols would keep it.
add_library(host_plugin_unloaded MODULE plugin_unloaded_plugin.cpp)
target_compile_features(host_plugin_unloaded PRIVATE cxx_std_20)
target_compile_options(host_plugin_unloaded PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
target_link_libraries(host_plugin_unloaded PRIVATE takt::shared)
takt_add_host_test(plugin_unloaded_test LIBRARIES takt::shared ARGS $<TARGET_FILE:host_plugin_unloaded>)
add_dependencies(host_plugin_unloaded_test host_plugin_unloaded)

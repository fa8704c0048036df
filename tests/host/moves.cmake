# Other runtimes' frames on a task's stack.
find_package(OpenMP)
if(OpenMP_CXX_FOUND)
  # The compiler's own runtime: libgomp or libomp.
  takt_add_host_test(foreign_openmp_test LIBRARIES takt::static OpenMP::OpenMP_CXX)
endif()
find_package(TBB CONFIG)
if(TBB_FOUND)
  takt_add_host_test(foreign_tbb_test LIBRARIES takt::static TBB::tbb)
endif()

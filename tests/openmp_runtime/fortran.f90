! The functions that programs call, tasks with events, reductions over tasks, and absent arguments of target regions.
program fortran
  use omp_lib
  implicit none
  integer :: round
  do round = 1, 3
    call loops
    call events
    call reductions
    call absent
    call functions
  end do
  print '(a)', "right"
contains
  subroutine check(is_right, line)
    logical, intent(in) :: is_right
    integer, intent(in) :: line
    if (.not. is_right) then
      print '(a, i0)', "fortran.f90:", line
      error stop
    end if
  end subroutine

  subroutine loops
    integer :: i, sum, last
    real(8), allocatable :: a(:)
    sum = 0
    allocate(a(1000))
    !$omp parallel do schedule(dynamic, 7) reduction(+ : sum) lastprivate(last)
    do i = 1, 1000
      a(i) = i
      sum = sum + i
      last = i
    end do
    call check(sum == 500500 .and. last == 1000 .and. a(999) == 999d0, __LINE__)
    !$omp parallel workshare
    a = a * 2
    !$omp end parallel workshare
    call check(a(3) == 6d0, __LINE__)
  end subroutine

  subroutine events
    integer(omp_event_handle_kind) :: event
    integer :: done
    done = 0
    !$omp parallel
    !$omp single
    !$omp task detach(event) depend(out : done)
    !$omp end task
    !$omp task depend(in : done) shared(done)
    done = 1
    !$omp end task
    call omp_fulfill_event(event)
    !$omp taskwait
    call check(done == 1, __LINE__)
    !$omp end single
    !$omp end parallel
  end subroutine

  subroutine reductions
    integer :: i, sum
    sum = 1
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+ : sum)
    do i = 1, 20
      !$omp task in_reduction(+ : sum)
      sum = sum + i
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    call check(sum == 211, __LINE__)
  end subroutine

  subroutine absent(a)
    real, optional :: a(:)
    integer :: seen
    seen = 0
    !$omp target firstprivate(a) map(tofrom : seen)
    seen = 1
    if (present(a)) seen = 2
    !$omp end target
    call check(seen == 1, __LINE__)
  end subroutine

  subroutine functions
    character(len = 20) :: text
    integer(omp_allocator_handle_kind) :: pool
    type(omp_alloctrait) :: traits(1)
    call omp_set_affinity_format("%n of %N  ")
    call check(omp_get_affinity_format(text) == 8 .and. text == "%n of %N", __LINE__)
    call check(omp_capture_affinity(text, "%L-%0.3N") == 5 .and. text == "0-001", __LINE__)
    traits(1) = omp_alloctrait(omp_atk_alignment, 64)
    pool = omp_init_allocator(omp_default_mem_space, 1, traits)
    call check(pool /= omp_null_allocator, __LINE__)
    call omp_set_default_allocator(pool)
    call check(omp_get_default_allocator() == pool, __LINE__)
    call omp_set_default_allocator(omp_default_mem_alloc)
    call omp_destroy_allocator(pool)
    call omp_set_schedule(omp_sched_guided, 3)
    call check(omp_get_ancestor_thread_num(4294967296_8) == -1 .and. omp_get_team_size(-4294967296_8) == -1, __LINE__)
    call check(omp_get_thread_num() == 0 .and. .not. omp_in_parallel(), __LINE__)
  end subroutine
end program

# A runner that changes nothing.
run_it:
  runner.jobs.list_jobs: []

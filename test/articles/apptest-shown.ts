// What the article's apptest returns and what is printed of it.

/** The return as the article prints it. */
export const RETURN = {
  'event_|-notify_of_fail_|-apptest/failed_|-send': {
    __run_num__: 4,
    __sls__: 'apptest',
    __state_ran__: false,
    changes: {},
    comment: 'State was not run because onfail req did not change',
    duration: 0.004,
    result: true,
    start_time: '10:58:49.740913',
  },
  'git_|-apptest_|-https://github.com/mpolinowski/docker-elk.git_|-latest': {
    __id__: 'apptest',
    __run_num__: 2,
    __sls__: 'apptest',
    changes: {},
    comment: 'Repository /opt/apptest is up-to-date',
    duration: 3184.049,
    name: 'https://github.com/mpolinowski/docker-elk.git',
    result: true,
    start_time: '10:58:46.510959',
  },
  'module_|-reload_apache_|-service.stop_|-run': {
    __run_num__: 1,
    __sls__: 'apptest',
    changes: {},
    comment: 'No changes detected',
    duration: 0.006,
    result: true,
    start_time: '10:58:46.510837',
  },
  'pkg_|-install_apache_|-apache2_|-installed': {
    __id__: 'install_apache',
    __run_num__: 0,
    __sls__: 'apache',
    changes: {},
    comment: 'All specified packages are already installed',
    duration: 22.176,
    name: 'apache2',
    result: true,
    start_time: '10:58:44.051565',
  },
  'service_|-enable_apache_|-apache2_|-running': {
    __id__: 'enable_apache',
    __run_num__: 3,
    __sls__: 'apache',
    changes: {},
    comment: 'The service apache2 is already running',
    duration: 43.795,
    name: 'apache2',
    result: true,
    start_time: '10:58:49.695390',
  },
}

/** What Salt prints, masked. */
export const FIRST = `ubuntuAsus:
----------
          ID: install_apache
    Function: pkg.installed
        Name: apache2
      Result: True
     Comment: The following packages were installed/updated: apache2
     Started: <time>
    Duration: <n> ms
     Changes:   
              ----------
              apache2:
                  ----------
                  new:
                      2.4.62-1~deb12u2
                  old:
----------
          ID: reload_apache
    Function: module.run
        Name: service.stop
      Result: True
     Comment: Module function service.stop executed
     Started: <time>
    Duration: <n> ms
     Changes:   
              ----------
              ret:
                  True
----------
          ID: apptest
    Function: git.latest
        Name: https://github.com/mpolinowski/docker-elk.git
      Result: True
     Comment: https://github.com/mpolinowski/docker-elk.git cloned to /opt/apptest
     Started: <time>
    Duration: <n> ms
     Changes:   
              ----------
              new:
                  https://github.com/mpolinowski/docker-elk.git => /opt/apptest
              revision:
                  ----------
                  new:
                      <commit>
                  old:
                      None
----------
          ID: enable_apache
    Function: service.running
        Name: apache2
      Result: True
     Comment: Service apache2 is already enabled, and is running
     Started: <time>
    Duration: <n> ms
     Changes:   
              ----------
              apache2:
                  True
----------
          ID: notify_of_fail
    Function: event.send
        Name: apptest/failed
      Result: True
     Comment: State was not run because onfail req did not change
     Started: <time>
    Duration: <n> ms
     Changes:   

Summary for ubuntuAsus
------------
Succeeded: 5 (changed=4)
Failed:    0
------------
Total states run:     5
Total run time: <n>
`

/** The same where there is nothing to do, as in the article. */
export const AGAIN = `ubuntuAsus:
----------
          ID: install_apache
    Function: pkg.installed
        Name: apache2
      Result: True
     Comment: All specified packages are already installed
     Started: <time>
    Duration: <n> ms
     Changes:   
----------
          ID: reload_apache
    Function: module.run
        Name: service.stop
      Result: True
     Comment: No changes detected
     Started: <time>
    Duration: <n> ms
     Changes:   
----------
          ID: apptest
    Function: git.latest
        Name: https://github.com/mpolinowski/docker-elk.git
      Result: True
     Comment: Repository /opt/apptest is up-to-date
     Started: <time>
    Duration: <n> ms
     Changes:   
----------
          ID: enable_apache
    Function: service.running
        Name: apache2
      Result: True
     Comment: The service apache2 is already running
     Started: <time>
    Duration: <n> ms
     Changes:   
----------
          ID: notify_of_fail
    Function: event.send
        Name: apptest/failed
      Result: True
     Comment: State was not run because onfail req did not change
     Started: <time>
    Duration: <n> ms
     Changes:   

Summary for ubuntuAsus
------------
Succeeded: 5
Failed:    0
------------
Total states run:     5
Total run time: <n>
`

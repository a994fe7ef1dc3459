// ARTICLES.md, C and D: the files of the articles that deploy `apptest`.

/** Answers a custom event with a highstate. */
export const HIGHSTATE = `run_highstate:
  cmd.state.highstate:
    - tgt: 'ubuntuAsus'
`

/** Hands the event's version on as pillar. */
export const DEPLOY = `deploy_testapp:
  cmd.state.sls:
    - tgt: {{ data.id }}
    - kwarg:
        mods: apptest
        pillar:
            version: {{ data.data.version }}
`

/** `apache/map.sls`. */
export const MAP = `{% set apache = salt['grains.filter_by']({'Debian': {'pkg': 'apache2', 'srv': 'apache2'}, 'RedHat': {'pkg': 'httpd', 'srv': 'httpd'}}) %}
`

/** `apache/init.sls`. */
export const APACHE = `{% from "apache/map.sls" import apache with context %}
install_apache:
  pkg.installed:
    - name: {{ apache.pkg }}
enable_apache:
  service.running:
    - name: {{ apache.srv }}
    - enable: True
`

/** Which events lead to them. */
export const REACTOR_CONF = `reactor:
  - 'instar/custom/*':
    - /srv/reactor/highstate.sls
  - 'instar/deploy/testapp':
    - /srv/reactor/deploy_testapp.sls
`

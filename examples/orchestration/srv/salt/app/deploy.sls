# What is deployed, in one state; a real one installs, configures and restarts.
deploy_app:
  cmd.run:
    - name: deploy-app {{ pillar.get('version', '1.4.2') }}

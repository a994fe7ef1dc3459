// The keys that Salt has and Brine does not read, and why not.

const groups: readonly { readonly why: string; readonly keys: string }[] = [
  {
    why: 'Minions and master talk HTTPS; there is one port, that of `rest_cherrypy`.',
    keys: `
      auth_safemode auth_timeout auth_tries detect_remote_minions file_buffer_size http_connect_timeout
      http_max_body http_request_timeout ipc_mode ipc_write_buffer ipv6 master_alive_interval master_uri_format
      ping_interval pub_hwm pub_ret publish_drain_timeout publish_port publish_session publish_signing_algorithm
      publish_timeout raet_port remote_minions_port request_channel_timeout request_channel_tries
      request_server_aes_session request_server_ttl resolve_dns_fallback rest_timeout ret_port retry_dns
      retry_dns_count return_retry_tries salt_cp_chunk_size sock_pool_size source_address source_interface_name
      source_publish_port source_ret_port ssl syndic_wait tcp_authentication_retries tcp_keepalive
      tcp_keepalive_cnt tcp_keepalive_idle tcp_keepalive_intvl tcp_master_pub_port tcp_master_publish_pull
      tcp_master_pull_port tcp_master_workers tcp_pub_port tcp_pull_port tcp_reconnect_backoff transport
      zmq_backlog zmq_filtering zmq_monitor
    `,
  },
  {
    why: 'Keys and signatures are of fixed, current kinds.',
    keys: `
      allow_minion_key_revoke always_verify_signature auth_mode cluster_key_pass drop_messages_signature_fail
      encryption_algorithm fips_mode key_pass keysize master_pubkey_signature master_sign_key_name
      master_sign_pubkey master_use_pubkey_signature minimum_auth_version minion_sign_messages
      ping_on_rotate require_minion_sign_messages rotate_aes_key sign_pub_messages
      signing_algorithm signing_key_pass verify_master_pubkey_sign
    `,
  },
  {
    why: 'Files come from `file_roots`, pillar from `pillar_roots`.',
    keys: `
      decrypt_pillar decrypt_pillar_default decrypt_pillar_delimiter decrypt_pillar_renderers environment
      ext_pillar_first external_nodes fileserver_backend fileserver_followsymlinks
      fileserver_ignoresymlinks fileserver_interval fileserver_update_niceness fileserver_verify_config
      git_pillar_base git_pillar_branch git_pillar_env git_pillar_fallback git_pillar_global_lock
      git_pillar_includes git_pillar_insecure_auth git_pillar_passphrase git_pillar_password git_pillar_privkey
      git_pillar_pubkey git_pillar_refspecs git_pillar_remotes git_pillar_root git_pillar_ssl_verify
      git_pillar_update_interval git_pillar_user git_pillar_verify_config gitfs_base gitfs_disable_saltenv_mapping
      gitfs_env_blacklist gitfs_env_whitelist gitfs_fallback gitfs_global_lock gitfs_insecure_auth
      gitfs_mountpoint gitfs_passphrase gitfs_password gitfs_privkey gitfs_pubkey gitfs_ref_types gitfs_refspecs
      gitfs_remotes gitfs_root gitfs_saltenv gitfs_saltenv_blacklist gitfs_saltenv_whitelist gitfs_ssl_verify
      gitfs_update_interval gitfs_user gpg_cache gpg_cache_backend gpg_cache_ttl gpg_decrypt_must_succeed
      hgfs_base hgfs_branch_method hgfs_mountpoint hgfs_remotes hgfs_root hgfs_saltenv_blacklist
      hgfs_saltenv_whitelist hgfs_update_interval lock_saltenv master_roots master_tops master_tops_first
      minionfs_blacklist minionfs_env minionfs_mountpoint minionfs_update_interval minionfs_whitelist
      on_demand_ext_pillar pass_dir pass_gnupghome pass_strict_fetch pass_to_ext_pillars pass_variable_prefix
      pillar_cache pillar_cache_backend pillar_cache_ttl pillar_includes_override_sls pillar_version
      pillarenv_from_saltenv roots_update_interval s3fs_update_interval search snapper_states
      snapper_states_config state_top_saltenv svnfs_branches svnfs_mountpoint svnfs_remotes svnfs_root
      svnfs_saltenv_blacklist svnfs_saltenv_whitelist svnfs_tags svnfs_trunk svnfs_update_interval tops_dirs
      winrepo_branch winrepo_cache_expire_max winrepo_cache_expire_min winrepo_cachefile winrepo_dir
      winrepo_dir_ng winrepo_fallback winrepo_insecure_auth winrepo_installer_cache_expire winrepo_passphrase
      winrepo_password winrepo_privkey winrepo_pubkey winrepo_refspecs winrepo_remotes winrepo_remotes_ng
      winrepo_source_dir winrepo_ssl_verify winrepo_user
    `,
  },
  {
    why: 'There is one master, and it needs no size.',
    keys: `
      bootstrap_delay cache cache_jobs cache_sreqs cluster_id cluster_mode cluster_peers cluster_pki_dir
      cluster_pool_port con_cache enforce_mine_cache event_publisher_niceness event_return_niceness key_cache
      maintenance_interval maintenance_niceness master_failback master_failback_interval master_shuffle
      master_stats master_stats_event_iter master_syndics master_tries master_type max_open_files memcache_debug
      memcache_expire_seconds memcache_full_cleanup memcache_max_items minion_jid_queue_hwm minion_memory_headroom
      minion_memory_max modules_max_memory multifunc_ordered multiprocessing mworker_niceness
      mworker_queue_niceness order_masters pub_server_niceness queue_dirs random_master reactor_niceness
      reactor_refresh_interval reactor_worker_hwm req_server_niceness restart_on_error sqlite_queue_dir
      syndic_event_forward_timeout syndic_failover syndic_finger syndic_forward_all_events
      syndic_jid_forward_cache_hwm syndic_log_file syndic_master syndic_pidfile syndic_retries worker_threads
    `,
  },
  {
    why: 'There is no salt-ssh and no proxy minion; providers of clouds stand in files of their own (docs/cloud.md).',
    keys: `
      add_proxymodule_to_opts enable_ssh_minions min_extra_mods providers proxy proxy_always_alive
      proxy_deep_merge_pillar_in_opts proxy_keep_alive proxy_keep_alive_interval proxy_merge_grains_in_module
      proxy_merge_pillar_in_opts proxy_merge_pillar_in_opts_strategy proxy_mines_pillar regen_thin roster
      roster_file rosters ssh_config_file ssh_identities_only ssh_keepalive ssh_keepalive_count_max
      ssh_keepalive_interval ssh_list_nodegroups ssh_log_file ssh_merge_pillar ssh_minion_opts ssh_passwd ssh_port
      ssh_priv_passwd ssh_run_pre_flight ssh_scan_ports ssh_scan_timeout ssh_sudo ssh_sudo_user ssh_timeout
      ssh_use_home_key ssh_user thin_extra_mods
    `,
  },
  {
    why: 'Engines and Thorium do not run; the reactor does.',
    keys: `
      engines event_listen_queue event_match_type thorium_interval thorium_roots thorium_top thoriumenv
    `,
  },
  {
    why: 'Jobs and events are kept in the store and shown by `brine-run jobs` and `brine-run state.event`.',
    keys: `
      archive_jobs event_return event_return_blacklist event_return_queue event_return_queue_max_seconds
      event_return_whitelist ext_job_cache job_cache_store_endtime master_job_cache preserve_minion_cache
      returner_dirs runner_returns unique_jid
    `,
  },
  {
    why: 'Log lines have one format; `log_format: json` is for programs.',
    keys: `
      api_log_level api_logfile color fluent_handler key_logfile log_datefmt log_datefmt_logfile log_fmt_console
      log_fmt_jid log_fmt_logfile log_granular_levels log_rotate_backup_count log_rotate_max_bytes
      logstash_udp_handler logstash_zmq_handler output outputter_dirs sentry_handler
    `,
  },
  {
    why: 'The service manager does that.',
    keys: `
      api_pidfile append_minionid_config_dirs autoload_dynamic_modules clean_dynamic_modules conf_file
      cython_enable default_include discovery enable_zip_modules ext_processes minion_restart_command
      password pidfile sudo_acl sudo_user update_restart_services update_url username verify_env
    `,
  },
  {
    why: '`external_auth` says who may call what.',
    keys: `
      client_acl client_acl_blacklist client_acl_verify django_auth_path django_auth_settings eauth_acl_module
      eauth_tokens keep_acl_in_token netapi_allow_raw_shell permissive_acl publisher_acl_blacklist rest_tornado
      rest_wsgi token_expire_user_override
    `,
  },
  {
    why: 'Brine has no use for it.',
    keys: `
      autosign_timeout batch_safe_limit batch_safe_size dummy_pub enable_fqdns_grains
      enable_gpu_grains enable_lspci extension_modules extmod_blacklist extmod_whitelist features
      global_state_conditions grains_blacklist grains_cache grains_cache_expiration grains_deep_merge grains_dirs
      grains_refresh_pre_exec id_function jinja_lstrip_blocks jinja_trim_blocks local mine_return_job
      minion_id_caching minion_id_remove_domain module_dirs module_executors optimization_order range_server
      render_dirs renderer renderer_blacklist renderer_whitelist scheduler_before_connect sdb serial
      state_compress_ids state_output_pct state_output_profile state_tgt states_dirs utils_dirs wheel_dirs
    `,
  },
]

/** Salt's other keys and why Brine does not read them. */
export const saltOnlyKeys: ReadonlyMap<string, string> = new Map(
  groups.flatMap(({ why, keys }) =>
    keys
      .trim()
      .split(/\s+/)
      .map((key) => [key, why] as const),
  ),
)

// The order in which the exchanges were recorded: what one leaves, the next finds.

/** Names of the exchanges, first to last. What is not among them is made before `logout`. */
export const order = [
  'login_json login_form login_sharedsecret_field login_yaml_accept login_bad_password login_bad_eauth login_missing',
  'login_badjson login_list login_get root_get root_get_yaml root_get_nowildcard root_406 root_html options_cors',
  'minions_401 minions_badtoken minions minions_one minions_none minions_cookie minions_post minions_post_form',
  'local local_form local_form_args local_arg_kwarg local_list local_full_return local_yaml local_yaml_body',
  'local_nomatch local_badfun local_badcompound two_lowstate dict_lowstate local_async local_async_nomatch local_batch',
  'local_subset runner runner_kwarg runner_bad runner_async wheel wheel_accept wheel_async wheel_bad badclient',
  'disabledclient noclient nofun notgt post_badjson post_badctype post_nobody post_emptylist post_401 post_string run',
  'run_token run_header_token run_nocreds run_badpass run_limited_denied run_limited_ok run_limited_runner',
  'run_unknown_user jobs jobs_jid jobs_bad jobs_401 keys keys_one keys_none keys_post_form keys_401 hook hook_deep',
  'hook_form hook_root hook_401 hook_get hook_text hook_nobody stats stats_401 token app notfound put ws_get',
  'events_sse_10s events_query_token events_cookie events_401 events_salt_token_badq events_salt_token logout after_logout',
].flatMap((line) => line.split(' '))

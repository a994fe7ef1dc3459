"""Runs Salt's programs one after the other, each in a fork of this process so that nothing is imported twice.

Asked by record.ts: one JSON a line on stdin, {"program": ..., "args": [...], "stdin": ...}; each is answered by one line,
{"exit": ..., "stdout": ..., "stderr": ..., "events": [{"tag": ..., "data": ...}]}. usage: record.py LAB
"""
import json, os, subprocess, sys, time

lab = sys.argv[1]
config = {"salt-call": lab + "/etc/minion1"}
import salt.scripts, salt.cli.run, salt.cli.salt, salt.cli.key, salt.cli.call, salt.minion, salt.loader, salt.runner, salt.wheel

functions = {"salt": salt.scripts.salt_main, "salt-run": salt.scripts.salt_run, "salt-key": salt.scripts.salt_key, "salt-call": salt.scripts.salt_call}
heard = lab + "/run/heard.jsonl"
listener = """
import json, sys, salt.config, salt.utils.event
opts = salt.config.master_config(sys.argv[1])
out = open(sys.argv[2], "w")
for event in salt.utils.event.get_master_event(opts, opts["sock_dir"], listen=True).iter_events(full=True, auto_reconnect=True):
    out.write(json.dumps({"tag": event["tag"], "data": event["data"]}, default=repr) + "\\n"); out.flush()
"""
listening = subprocess.Popen([sys.executable, "-c", listener, lab + "/etc/master/master", heard])


def child(program, args, stdin, files):
    os.setsid()
    for number, path in enumerate(files):
        fd = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(fd, number)
    os.chdir(lab)
    sys.argv = [lab + "/venv/bin/" + program, "-c", config.get(program, lab + "/etc/master"), *args]
    code = 0
    try:
        functions[program]()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        import traceback
        traceback.print_exc()
        code = 1
    sys.stdout.flush(); sys.stderr.flush()
    os._exit(code)


def settled(offset, while_):
    """What was heard from there on, once nothing more came for a while."""
    size = -1
    while os.path.getsize(heard) != size:
        size = os.path.getsize(heard)
        time.sleep(while_)
    with open(heard) as lines:
        lines.seek(offset)
        return [json.loads(line) for line in lines.read().splitlines()]


try:
    time.sleep(3)
    for line in sys.stdin:
        asked = json.loads(line)
        offset = os.path.getsize(heard)
        files = [lab + "/run/" + name for name in ("typed", "printed", "told")]
        with open(files[0], "w") as typed:
            typed.write(asked.get("stdin") or "")
        os.environ["COLUMNS"] = "120"
        started = os.fork()
        if started == 0:
            child(asked["program"], asked["args"], asked.get("stdin"), files)
        end = time.time() + 90
        code = None
        while code is None and time.time() < end:
            done, status = os.waitpid(started, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.02)
        if code is None:
            os.killpg(started, 9); os.waitpid(started, 0); code = "timeout"
        answer = {"exit": code, "stdout": open(files[1], errors="replace").read(), "stderr": open(files[2], errors="replace").read()}
        answer["events"] = settled(offset, 2.0 if asked.get("goesOn") else 0.7) if asked.get("events") else []
        print(json.dumps(answer), flush=True)
finally:
    listening.terminate()

# Starts MiniStack so that it asks IAM before it does what a function's role asks for, and notes in the file that BRINE_DENIED
# names what it refused. Run with the Python that MiniStack is installed for; its settings are the same variables.
import os
from datetime import datetime, timezone

import ministack.app
from ministack.core import iam_evaluator

denied = os.environ["BRINE_DENIED"]
# The ARN of a secret is its name there, which no policy that says an ARN matches; and a task's token tells it no machine.
unknowable = {"secretsmanager:GetSecretValue", "states:SendTaskSuccess"}
pin_origin = iam_evaluator.pin_request_origin
enforce = iam_evaluator.enforce


def over_tls(address, _secure):
    """Loopback is asked in the clear, and the policies of buckets and queues refuse whoever does."""
    pin_origin(address, True)


def noted(access_key, action, *more, **named):
    refused = enforce(access_key, action, *more, **named)
    if refused is None or action in unknowable:
        return None
    who = getattr(refused, "principal_arn", None) or getattr(refused, "code", "")
    with open(denied, "a") as notes:
        notes.write(f"{datetime.now(timezone.utc):%H:%M:%S} {who} {action} {named.get('resource_arn', '')}\n")
    return refused


ministack.app.pin_request_origin = over_tls
iam_evaluator.enforce = noted
ministack.app.main()

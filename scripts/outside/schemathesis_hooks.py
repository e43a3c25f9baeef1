"""Tells Schemathesis what a JSON Schema cannot express about requests."""

import schemathesis

ROLES = ["backend", "Front-End", "SRE", "fullstack", "devops"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    Replaces roles by ones that the server knows, since it refuses every other text. Also changes paths in requests without a
    repository to ones that do not exist, since the server refuses a path that several repositories of the demo people have.
    """
    body = case.body
    if not isinstance(body, dict):
        return
    if is_text(body.get("role")):
        body = {**body, "role": ROLES[len(body["role"]) % len(ROLES)]}
    if "repository" not in body and is_path(body.get("path")):
        body = {**body, "path": f"nowhere/{body['path']}"}
    if "repository" not in body and isinstance(body.get("paths"), list):
        body = {**body, "paths": [f"nowhere/{path}" if is_path(path) else path for path in body["paths"]]}
    case.body = body


def is_path(value):
    """Whether it is a path that stays short enough when it is made longer."""
    return isinstance(value, str) and 1 <= len(value) <= 900


def is_text(value):
    """Whether the schema accepts the text; a text that it refuses must stay as it is."""
    if not isinstance(value, str) or not 1 <= len(value) <= 200 or value.strip() == "":
        return False
    return not any(ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F for letter in value)

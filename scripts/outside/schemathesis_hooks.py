"""What no JSON Schema can say of a request, said to Schemathesis."""

import schemathesis

ROLES = ["backend", "Front-End", "SRE", "fullstack", "devops"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    A role is one that the server knows, in any spelling of it; every other text is refused with the list of them. And a
    path that several repositories of the demo people have is refused with their names, when no repository is named: none has it.
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
    """One that stays as long as a path may be; a repository that it is not in has none of it."""
    return isinstance(value, str) and 1 <= len(value) <= 900


def is_text(value):
    """As the schema takes it: what it refuses stays as it is."""
    if not isinstance(value, str) or not 1 <= len(value) <= 200 or value.strip() == "":
        return False
    return not any(ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F for letter in value)

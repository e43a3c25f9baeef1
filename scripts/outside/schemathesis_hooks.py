"""What no JSON Schema can say of a request, said to Schemathesis."""

import schemathesis


@schemathesis.hook
def map_body(context, body):
    """A role is one that the server knows, in any spelling of it; every other text is refused with the list of them."""
    if not isinstance(body, dict) or not is_text(body.get("role")):
        return body
    return {**body, "role": ["backend", "Front-End", "SRE", "fullstack", "devops"][len(body["role"]) % 5]}


def is_text(value):
    """As the schema takes it: what it refuses stays as it is."""
    if not isinstance(value, str) or not 1 <= len(value) <= 200 or value.strip() == "":
        return False
    return not any(ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F for letter in value)

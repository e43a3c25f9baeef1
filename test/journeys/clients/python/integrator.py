"""A client that openapi-python-client made of the document, as its own guide uses it."""

import json
import os

from generated import AuthenticatedClient
from generated.api.developers import get_developer, search_developers
from generated.models.error_envelope import ErrorEnvelope
from generated.models.error_envelope_meta import ErrorEnvelopeMeta
from generated.models.meta import Meta
from generated.models.search_developers_response_200 import SearchDevelopersResponse200
from generated.models.search_request import SearchRequest
from generated.types import Unset

base_url = os.environ["ROSTER_URL"]


def opened(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=base_url, token=key)


def quota_of(meta: Meta | ErrorEnvelopeMeta) -> dict[str, object]:
    assert not isinstance(meta.quota, Unset)
    return meta.quota.to_dict()


def refusal_of(status: int, parsed: object) -> tuple[dict[str, object], ErrorEnvelope]:
    assert isinstance(parsed, ErrorEnvelope)
    return {"status": status, "code": parsed.error.code.value}, parsed


client = opened(os.environ["ROSTER_KEY"])
spent = opened(os.environ["ROSTER_SPENT_KEY"])

answered = search_developers.sync_detailed(
    client=client, body=SearchRequest(location="Berlin", role="backend")
)
assert isinstance(answered.parsed, SearchDevelopersResponse200)
data = answered.parsed.data
first = data.results[0]
assert not isinstance(first.last_active_date, Unset)

invalid = search_developers.sync_detailed(
    client=client, body=SearchRequest(location="Berlin", max_results=500)
)
refused, _ = refusal_of(invalid.status_code, invalid.parsed)
stranger = get_developer.sync_detailed("ada-example", client=opened("rst_nobody"))
unknown, _ = refusal_of(stranger.status_code, stranger.parsed)
nobody = get_developer.sync_detailed("nobody-here", client=client)
missing, counted = refusal_of(nobody.status_code, nobody.parsed)
get_developer.sync_detailed("ada-example", client=spent)
exceeded = get_developer.sync_detailed("ada-example", client=spent)
over, told = refusal_of(exceeded.status_code, exceeded.parsed)

print(
    json.dumps(
        {
            "answered": {
                "status": answered.status_code,
                "total": data.total_count,
                "login": first.login,
                "lastActive": first.last_active_date.isoformat(),
                "experience": first.github_experience,
                "repository": first.top_repositories[0].name,
                "quota": quota_of(answered.parsed.meta),
                "rateLimit": answered.headers["RateLimit"],
            },
            "refused": refused,
            "unknown": unknown,
            "missing": {**missing, "used": quota_of(counted.meta)["used"]},
            "over": {
                **over,
                "quota": quota_of(told.meta),
                "retryAfter": int(exceeded.headers["Retry-After"]),
            },
        }
    )
)

"""A client that openapi-python-client made of the document, as its own guide uses it."""

import json
import os

from generated import AuthenticatedClient
from generated.api.additions import export_people, get_changes, get_developers, get_usage
from generated.api.developers import get_developer, search_developers
from generated.models.batch_request import BatchRequest
from generated.models.error_envelope import ErrorEnvelope
from generated.models.error_envelope_meta import ErrorEnvelopeMeta
from generated.models.get_changes_response_200 import GetChangesResponse200
from generated.models.get_developers_response_200 import GetDevelopersResponse200
from generated.models.get_usage_response_200 import GetUsageResponse200
from generated.models.meta import Meta
from generated.models.search_developers_response_200 import SearchDevelopersResponse200
from generated.models.search_request import SearchRequest
from generated.models.search_request_sort import SearchRequestSort
from generated.types import File, Unset

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

sorting = SearchRequest(
    location="Germany",
    company="example",
    max_experience_years=50,
    sort=SearchRequestSort.EXPERIENCE,
)
ordered = search_developers.sync(client=client, body=sorting)
assert isinstance(ordered, SearchDevelopersResponse200)
batch = get_developers.sync(client=client, body=BatchRequest(logins=["ada-example", "nobody-here"]))
assert isinstance(batch, GetDevelopersResponse200)
changes = get_changes.sync(client=client, limit=1)
assert isinstance(changes, GetChangesResponse200)
usage = get_usage.sync(client=client)
assert isinstance(usage, GetUsageResponse200)
exported = export_people.sync(client=opened(os.environ["ROSTER_ADMIN_KEY"]))
assert isinstance(exported, File)

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
            "added": {
                "veteran": ordered.data.results[0].login,
                "logins": [user.username for user in batch.data.users],
                "missing": batch.data.missing,
                "calls": batch.data.calls,
                "change": changes.data.changes[0].change.value,
                "hasNext": not isinstance(changes.data.next_, Unset),
                "plan": usage.data.plan,
                "used": usage.data.month.used,
                "exported": exported.payload.read().decode().split("\n")[0],
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

"""A client that openapi-generator made of the document, as its own guide uses it."""

import json
import os
from collections.abc import Callable

from openapi_client import AdditionsApi, ApiClient, Configuration, DevelopersApi
from openapi_client.exceptions import ApiException
from openapi_client.models.batch_request import BatchRequest
from openapi_client.models.error_envelope import ErrorEnvelope
from openapi_client.models.quota import Quota
from openapi_client.models.search_request import SearchRequest


def connected(key: str) -> ApiClient:
    # By default urllib3 waits as long as Retry-After says, to the end of the month, and asks again.
    settings = Configuration(host=os.environ["ROSTER_URL"], access_token=key, retries=0)
    return ApiClient(settings)


def opened(key: str) -> DevelopersApi:
    return DevelopersApi(connected(key))


def usage_of(quota: Quota | None) -> dict[str, object]:
    assert quota is not None
    return quota.to_dict()


Refusal = tuple[dict[str, object], ErrorEnvelope, ApiException]


def refusal_of(call: Callable[[], object]) -> Refusal:
    try:
        call()
    except ApiException as refusal:
        assert isinstance(refusal.data, ErrorEnvelope)
        assert refusal.data.success is False
        code = refusal.data.error.code
        return {"status": refusal.status, "code": code}, refusal.data, refusal
    raise AssertionError("This call must be refused.")


client, spent = opened(os.environ["ROSTER_KEY"]), opened(os.environ["ROSTER_SPENT_KEY"])

answered = client.search_developers_with_http_info(SearchRequest(location="Berlin", role="backend"))
assert answered.data.success is True
data, meta = answered.data.data, answered.data.meta
first = data.results[0]
assert first.last_active_date is not None
assert answered.headers is not None
headers = {name.lower(): value for name, value in answered.headers.items()}

# What bounds forbid, this client refuses by itself; that this is no role, only the server knows.
refused = refusal_of(
    lambda: client.search_developers(SearchRequest(location="Berlin", role="plumber"))
)[0]
unknown = refusal_of(lambda: opened("rst_nobody").get_developer("ada-example"))[0]
missing, counted = refusal_of(lambda: client.get_developer("nobody-here"))[:2]
spent.get_developer("ada-example")
over, told, exceeded = refusal_of(lambda: spent.get_developer("ada-example"))
waits = {name.lower(): value for name, value in (exceeded.headers or {}).items()}

additions = AdditionsApi(connected(os.environ["ROSTER_KEY"]))
sorting = SearchRequest(
    location="Germany", company="example", maxExperienceYears=50, sort="experience"
)
ordered = client.search_developers(sorting).data.results
batch = additions.get_developers(BatchRequest(logins=["ada-example", "nobody-here"])).data
changes = additions.get_changes(limit=1).data
usage = additions.get_usage().data
exported = AdditionsApi(connected(os.environ["ROSTER_ADMIN_KEY"])).export_people()

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
                "quota": usage_of(meta.quota),
                "rateLimit": headers["ratelimit"],
            },
            "added": {
                "veteran": ordered[0].login,
                "logins": [user.username for user in batch.users],
                "missing": batch.missing,
                "calls": batch.calls,
                "change": changes.changes[0].change,
                "hasNext": changes.next is not None,
                "plan": usage.plan,
                "used": usage.month.used,
                "exported": exported.decode().split("\n")[0],
            },
            "refused": refused,
            "unknown": unknown,
            "missing": {**missing, "used": usage_of(counted.meta.quota)["used"]},
            "over": {
                **over,
                "quota": usage_of(told.meta.quota),
                "retryAfter": int(waits["retry-after"]),
            },
        }
    )
)

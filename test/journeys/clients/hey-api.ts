/** A client that @hey-api/openapi-ts made of the document, as its own guide uses it. */
import {
  exportPeople,
  getChanges,
  getDeveloper,
  getDevelopers,
  getUsage,
  searchDevelopers,
} from "./generated";
import { createClient } from "./generated/client";
import { readSettings, report } from "./report";

const { baseUrl, key, spentKey, adminKey } = readSettings();
const client = createClient({ baseUrl, auth: key });
const spent = createClient({ baseUrl, auth: spentKey });

const { data, response } = await searchDevelopers({
  client,
  body: { location: "Berlin", role: "backend" },
});
const refused = await searchDevelopers({ client, body: { location: "Berlin", maxResults: 500 } });
const stranger = createClient({ baseUrl, auth: "rst_nobody" });
const unknown = await getDeveloper({ client: stranger, path: { login: "ada-example" } });
const missing = await getDeveloper({ client, path: { login: "nobody-here" } });
await getDeveloper({ client: spent, path: { login: "ada-example" } });
const over = await getDeveloper({ client: spent, path: { login: "ada-example" } });
const sorted = await searchDevelopers({
  client,
  body: {
    location: "Germany",
    company: "example",
    maxExperienceYears: 50,
    sort: "experience",
    fields: ["name"],
  },
});
const batch = await getDevelopers({ client, body: { logins: ["ada-example", "nobody-here"] } });
const changes = await getChanges({ client, query: { limit: 1 } });
const usage = await getUsage({ client });
const admin = createClient({ baseUrl, auth: adminKey });
// Left to itself, it takes the lines for one JSON text.
const exported = await exportPeople({
  client: admin,
  query: { kind: "profile" },
  parseAs: "blob",
});
const lines = await exported.data?.text();

const [first] = data?.data.results ?? [];
report({
  answered: {
    status: response?.status,
    total: data?.data.totalCount,
    login: first?.login,
    lastActive: first?.last_active_date,
    experience: first?.github_experience,
    repository: first?.top_repositories[0]?.name,
    quota: data?.meta.quota,
    rateLimit: response?.headers.get("RateLimit"),
  },
  added: {
    veteran: sorted.data?.data.results[0]?.login,
    logins: batch.data?.data.users.map(({ username }) => username),
    missing: batch.data?.data.missing,
    calls: batch.data?.data.calls,
    change: changes.data?.data.changes[0]?.change,
    hasNext: changes.data?.data.next !== undefined,
    plan: usage.data?.data.plan,
    used: usage.data?.data.month.used,
    exported: lines?.split("\n")[0],
  },
  refused: { status: refused.response?.status, code: refused.error?.error.code },
  unknown: { status: unknown.response?.status, code: unknown.error?.error.code },
  missing: {
    status: missing.response?.status,
    code: missing.error?.error.code,
    used: missing.error?.meta.quota?.used,
  },
  over: {
    status: over.response?.status,
    code: over.error?.error.code,
    quota: over.error?.meta.quota,
    retryAfter: Number(over.response?.headers.get("Retry-After")),
  },
});

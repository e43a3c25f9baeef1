/** A client of openapi-fetch, with the types that openapi-typescript made of the document. */
import createClient from "openapi-fetch";
import type { paths } from "./generated";
import { readSettings, report } from "./report";

const { baseUrl, key, spentKey, adminKey } = readSettings();
const open = (secret: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
const client = open(key);
const spent = open(spentKey);
const ada = { params: { path: { login: "ada-example" } } };

const { data, response } = await client.POST("/v1/search", {
  body: { location: "Berlin", role: "backend" },
});
const refused = await client.POST("/v1/search", { body: { location: "Berlin", maxResults: 500 } });
const unknown = await open("rst_nobody").GET("/v1/users/{login}", ada);
const missing = await client.GET("/v1/users/{login}", {
  params: { path: { login: "nobody-here" } },
});
await spent.GET("/v1/users/{login}", ada);
const over = await spent.GET("/v1/users/{login}", ada);
const sorted = await client.POST("/v1/search", {
  body: {
    location: "Germany",
    company: "example",
    maxExperienceYears: 50,
    sort: "experience",
    fields: ["name"],
  },
});
const batch = await client.POST("/v1/users/batch", {
  body: { logins: ["ada-example", "nobody-here"] },
});
const changes = await client.GET("/v1/changes", { params: { query: { limit: 1 } } });
const usage = await client.GET("/v1/usage");
const { data: lines } = await open(adminKey).GET("/v1/export", {
  params: { query: { kind: "profile" } },
  parseAs: "text",
});

const [first] = data?.data.results ?? [];
report({
  answered: {
    status: response.status,
    total: data?.data.totalCount,
    login: first?.login,
    lastActive: first?.last_active_date,
    experience: first?.github_experience,
    repository: first?.top_repositories[0]?.name,
    quota: data?.meta.quota,
    rateLimit: response.headers.get("RateLimit"),
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
  refused: { status: refused.response.status, code: refused.error?.error.code },
  unknown: { status: unknown.response.status, code: unknown.error?.error.code },
  missing: {
    status: missing.response.status,
    code: missing.error?.error.code,
    used: missing.error?.meta.quota?.used,
  },
  over: {
    status: over.response.status,
    code: over.error?.error.code,
    quota: over.error?.meta.quota,
    retryAfter: Number(over.response.headers.get("Retry-After")),
  },
});

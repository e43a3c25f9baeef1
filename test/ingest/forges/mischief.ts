/** Faults in an answer of a forge: other values, other text, other headers, another status, or no end. */
import fc from "fast-check";
import {
  type Change,
  changed,
  changes,
  type Spoiling,
  spoiled,
  spoilings,
} from "../../../scripts/fuzzing/json/nearly.ts";
import { oddValues } from "../../../scripts/fuzzing/json/odd.ts";
import type { Json } from "../../../scripts/fuzzing/json/values.ts";
import { weighted } from "../../../scripts/fuzzing/weighted.ts";

export type Mischief =
  | { readonly kind: "values"; readonly changes: readonly Change[] }
  /** Replaces the field wherever it occurs. */
  | { readonly kind: "field"; readonly field: string; readonly value: Json }
  | { readonly kind: "text"; readonly spoiling: Spoiling }
  | { readonly kind: "other"; readonly body: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  | { readonly kind: "redirect"; readonly status: number; readonly isElsewhere: boolean }
  | { readonly kind: "cut" }
  /** Every answer has a Link header that promises another page. */
  | { readonly kind: "endless"; readonly isSame: boolean };

const fields = [
  ...["id", "databaseId", "login", "username", "node_id", "user_id", "full_name", "nameWithOwner"],
  ...["path_with_namespace", "created", "created_at", "createdAt", "pushedAt", "updated_at", "url"],
  ...["email", "topics", "owner", "visibility", "state", "followers_count", "size", "diskUsage"],
  ...["location", "name", "bio", "description", "html_url", "clone_url", "data", "nodes", "errors"],
  ...["pageInfo", "hasNextPage", "endCursor", "repositories", "users", "private_profile"],
  ...["number", "iid", "updatedAt", "merged", "user", "author", "submitted_at", "submittedAt"],
  ...["head", "sha", "oid", "headRefOid", "mergeCommit", "filename", "path", "files", "reviews"],
  ...["reviewers", "approvedBy", "diffStats", "changed_files", "changedFiles", "dismissed"],
];

const numbers = fc.constantFrom<Json>(
  ...[-1, 0, 1, 5, 6, 10, 2 ** 53, 1e300, "1", "-5", "00001", "9".repeat(19), "9".repeat(40)],
);
const instants = fc.constantFrom<Json>(
  ...["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "+275760-09-13T00:00:00Z", "yesterday"],
  ...["1969-12-31T23:59:59Z", "2024-02-30T00:00:00Z", -1, 1e20],
);
const texts = fc.constantFrom<Json>(
  ...["x".repeat(20_000), "a\0b", "\u001b[2J", "\ud800", "../../etc", "dev1", "DEV1", "DEV2", ""],
  ...["javascript:alert(1)", "https://[", "--upload-pack=x", "👩‍👩‍👧‍👦".repeat(500)],
);

const limitHeaders = ["retry-after", "x-ratelimit-reset", "ratelimit-reset"] as const;

export const mischiefs: fc.Arbitrary<Mischief> = weighted(
  [4, changes.map((list): Mischief => ({ kind: "values", changes: list }))],
  [
    6,
    fc
      .tuple(fc.constantFrom(...fields), fc.oneof(numbers, instants, texts, oddValues))
      .map(([field, value]): Mischief => ({ kind: "field", field, value })),
  ],
  [2, spoilings.map((spoiling): Mischief => ({ kind: "text", spoiling }))],
  [
    1,
    fc
      .constantFrom(
        ...["", "null", "<html>Sign in</html>", "[".repeat(200_000), `[${"0,".repeat(2e6)}0]`],
        ...['{"message":"secondary rate limit"}', '{"errors":[{"type":"RATE_LIMITED"}]}', "[[]]"],
        ...['{"errors":[{}]}', '{"data":null,"errors":[{"message":1}]}', '{"data":{"users":[]}}'],
      )
      .map((body): Mischief => ({ kind: "other", body })),
  ],
  [
    2,
    fc
      .constantFrom(
        ...[201, 204, 206, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 451, 500, 502],
        ...[503, 599],
      )
      .map((status): Mischief => ({ kind: "status", status })),
  ],
  [
    2,
    fc
      .tuple(
        fc.constantFrom(...limitHeaders, "x-ratelimit-remaining", "link", "content-encoding"),
        fc.constantFrom(
          ...["0", "-1", "1e9", "999999999999999999", "9".repeat(400), "tomorrow", "gzip", "br"],
          ...["Fri, 31 Dec 275000 12:00:00 GMT", '<http://[>; rel="next"', "<".repeat(5000)],
          ...['<https://elsewhere.example/users>; rel="next"', '<?page=1>; rel="next"'],
        ),
      )
      .map(([name, value]): Mischief => ({ kind: "header", name, value })),
  ],
  [
    1,
    fc
      .tuple(fc.constantFrom(301, 302, 307, 308), fc.boolean())
      .map(([status, isElsewhere]): Mischief => ({ kind: "redirect", status, isElsewhere })),
  ],
  [1, fc.constant<Mischief>({ kind: "cut" })],
  [1, fc.boolean().map((isSame): Mischief => ({ kind: "endless", isSame }))],
);

/** @returns the text of an answer with the fault in it, if the fault is one of text. */
export function spoilText(honest: Json | undefined, mischief: Mischief | undefined): string {
  const value = honest ?? { message: "Not found" };
  switch (mischief?.kind) {
    case "values":
      return JSON.stringify(mischief.changes.reduce(changed, value));
    case "field":
      return JSON.stringify(replaceField(value, mischief.field, mischief.value));
    case "text":
      return spoiled(value, mischief.spoiling);
    case "other":
      return mischief.body;
    default:
      return JSON.stringify(value);
  }
}

function replaceField(value: Json, field: string, by: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => replaceField(one, field, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, Json]) => [
      name,
      name === field ? by : replaceField(inner, field, by),
    ]),
  );
}

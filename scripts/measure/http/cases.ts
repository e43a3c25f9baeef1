/** The cases of `scripts/bench http`: the request, the account, and the bar of each. */
import { createRandom } from "../../../test/random.ts";
import type { LoadRequest } from "./load.ts";

/** `none`: a wrong key; `spent`: an account with one call a day; `limited`: one with limits that are never reached. */
export type Holder = "unlimited" | "limited" | "spent" | "none";

export interface HttpCase {
  readonly name: string;
  /** What `--only` takes. */
  readonly kind: keyof typeof requestsHeld;
  readonly isLarge: boolean;
  readonly holder: Holder;
  readonly status: 200 | 304 | 401 | 429;
  readonly bare: "bare-bytes" | "bare-mcp";
  /** The bar: the least that the bare server's processor time a call may be of Roster's, at 32 connections. */
  readonly bar?: number;
  /** Yields requests without an end. Those are used that get the status of the case and, for a search, a full page. */
  draw(key: string, logins: readonly string[]): Generator<LoadRequest>;
}

/** How many different requests each kind of case uses. */
export const requestsHeld = {
  search: 500,
  /** More than Roster caches, so that it computes each answer again. */
  distinct: 3000,
  profile: 1000,
  analyze: 200,
  mcp: 200,
  "401": 1,
  "429": 1,
};

const json = { "content-type": "application/json" };

export const httpCases: readonly HttpCase[] = [
  search("search", { isLarge: false, holder: "unlimited" }),
  search("search-limited", { isLarge: false, holder: "limited" }),
  search("search-large", { isLarge: true, holder: "unlimited" }),
  { ...search("search-distinct", { isLarge: false, holder: "unlimited" }), kind: "distinct" },
  profile("profile", { isLarge: false, holder: "unlimited" }),
  profile("profile-limited", { isLarge: false, holder: "limited" }),
  profile("profile-large", { isLarge: true, holder: "unlimited" }),
  profileWith("profile-compressed", 200, {}),
  // The star stands for each tag, so that the requests need no answers before.
  profileWith("profile-304", 304, { "if-none-match": "*" }),
  analyze(),
  toolCall("mcp", () => ({ headers: {}, params: {} })),
  toolCall("mcp-modern", () => ({
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "get_developer",
    },
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  })),
  refused("401", "none"),
  refused("429", "spent"),
];

type Setting = Pick<HttpCase, "isLarge" | "holder">;

const wanted = {
  location: [
    "Worldwide",
    "Europe",
    "Asia",
    "Germany",
    "India",
    "United States",
    "France",
    "Berlin",
  ],
  role: [undefined, undefined, "backend", "frontend", "devops", "mobile", "data-engineer"],
  skill: ["Go", "Rust", "React", "Python", "PostgreSQL", "Kubernetes", "Docker", "TypeScript"],
  language: [undefined, undefined, undefined, "Go", "Python", "TypeScript", "Java"],
  minExperienceYears: [undefined, undefined, 1, 2, 5],
  isHireable: [undefined, undefined, undefined, true],
};

function search(name: string, setting: Setting): HttpCase {
  return {
    ...{ name, kind: "search", status: 200, bare: "bare-bytes", bar: 0.4, ...setting },
    *draw(key) {
      const random = createRandom(1);
      const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
      const headers = { ...json, "x-api-key": key };
      for (;;) {
        const { location, role, skill, language, ...rest } = wanted;
        const skills = [...new Set([pick(skill), pick(skill)])].slice(0, pick([0, 1, 2]));
        const one = pick(language);
        const body = JSON.stringify({
          ...{ location: pick(location), role: pick(role), skills, maxResults: 25 },
          ...(one === undefined ? {} : { languages: [one] }),
          minExperienceYears: pick(rest.minExperienceYears),
          isHireable: pick(rest.isHireable),
        });
        yield { method: "POST", path: "/v1/search", headers, body };
      }
    },
  };
}

function profile(name: string, setting: Setting): HttpCase {
  return {
    ...{ name, kind: "profile", status: 200, bare: "bare-bytes", bar: 0.3, ...setting },
    *draw(key, logins) {
      const headers = { "x-api-key": key };
      for (const login of inTurn(logins)) {
        yield { method: "GET", path: `/v1/users/${login}`, headers };
      }
    },
  };
}

/** Asks as browsers and libraries do, which take compressed answers. */
function profileWith(name: string, status: 200 | 304, more: LoadRequest["headers"]): HttpCase {
  const { bar: _none, draw, ...rest } = profile(name, { isLarge: false, holder: "unlimited" });
  return {
    ...{ ...rest, status },
    *draw(key, logins) {
      for (const { headers, ...request } of draw(key, logins)) {
        yield { ...request, headers: { ...headers, "accept-encoding": "gzip, br, zstd", ...more } };
      }
    },
  };
}

function analyze(): HttpCase {
  return {
    ...{ name: "analyze", kind: "analyze", status: 200, bare: "bare-bytes" },
    ...{ isLarge: false, holder: "unlimited" },
    *draw(key, logins) {
      const headers = { ...json, "x-api-key": key };
      for (const username of inTurn(logins)) {
        const body = JSON.stringify({ username });
        yield { method: "POST", path: "/v1/profile/analyze", headers, body };
      }
    },
  };
}

function refused(kind: "401" | "429", holder: Holder): HttpCase {
  const { bar: _none, ...rest } = profile(kind, { isLarge: false, holder });
  return { ...rest, kind, status: kind === "401" ? 401 : 429 };
}

/** Asks for a developer by a tool call, in either protocol. */
function toolCall(
  name: string,
  protocol: () => { readonly headers: Record<string, string>; readonly params: object },
): HttpCase {
  return {
    ...{ name, kind: "mcp", status: 200, bare: "bare-mcp", bar: 0.7 },
    ...{ isLarge: false, holder: "unlimited" },
    *draw(key, logins) {
      const accept = "application/json, text/event-stream";
      const own = protocol();
      const headers = { ...json, accept, authorization: `Bearer ${key}`, ...own.headers };
      for (const login of inTurn(logins)) {
        const params = { name: "get_developer", arguments: { login }, ...own.params };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        yield { method: "POST", path: "/mcp", headers, body };
      }
    },
  };
}

function* inTurn<T>(values: readonly T[]): Generator<T> {
  for (;;) yield* values;
}

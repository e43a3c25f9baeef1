/** What somebody may do at the pages and at the sign-in of assistants, as plain data. */
import fc from "fast-check";
import { type Json, nearly, oddTexts, valuesOf } from "../json-values.ts";
import { marker } from "./browser.ts";

export const visitors = ["nobody", "user", "administrator"] as const;
export type Visitor = (typeof visitors)[number];

export interface Visit {
  readonly kind: "page";
  readonly visitor: Visitor;
  readonly path: string;
  /** Follows this link of the page first. */
  readonly hop: number | undefined;
  /** Sends this form of the page; a page without one is only opened. */
  readonly form: number;
  readonly changes: readonly { readonly field: number; readonly value: string }[];
  readonly more: readonly (readonly [name: string, value: string])[];
  readonly without: number | undefined;
  readonly cookies: "own" | "none" | "odd" | "other";
  readonly headers: Readonly<Record<string, string>>;
  /** Where the sender seems to be. */
  readonly address: string;
}

export interface AssistantCall {
  readonly kind: "assistant";
  readonly visitor: Visitor;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** `{client}` is one that is registered. */
  readonly query: string;
  readonly type: string;
  readonly body: string | undefined;
  readonly address: string;
}

const values = fc.oneof(
  { weight: 4, arbitrary: fc.constant(marker) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        "{password}",
        "{email}",
        "new@example.com",
        "other@example.com",
        "quiet-otter-climbs-42",
        "pro",
        "free",
        "on",
      ],
      ...[
        "1",
        "0",
        "-1",
        "unlimited",
        "99999999999999999999",
        "1e3",
        "",
        " ",
        "create",
        "sign-in",
        "allow",
        "deny",
      ],
      ...[
        "a@b",
        `${"a".repeat(300)}@example.com`,
        "İ@example.com",
        "ada@exa mple.com",
        "password",
        "<script>",
      ],
    ),
  },
  { weight: 3, arbitrary: oddTexts },
);

const addresses = fc
  .tuple(fc.nat(250), fc.nat(250), fc.nat(250))
  .map((parts) => `10.${parts.join(".")}`);

const fields = fc.constantFrom(
  "act",
  "token",
  "email",
  "password",
  "plan",
  "role",
  "administrator",
  "next",
  "q",
  "__proto__",
);

const paths = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...[
        "/",
        "/sign-in",
        "/sign-up",
        "/set-up",
        "/invitation",
        "/reset-password",
        "/sign-out",
        "/consent",
        "/docs",
      ],
      ...[
        "/account",
        "/account/api",
        "/account/assistants",
        "/account/security",
        "/admin/accounts",
        "/admin/audit",
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "/sign-in?next=",
          "/set-up?token=",
          "/invitation?token=",
          "/admin/accounts?q=",
          "/admin/accounts?page=",
          "/sign-in?error=",
          "/consent?client_id=",
          "/admin/audit?before=",
          "/admin/accounts/",
          "/",
        ),
        values,
      )
      .map(([path, value]) => path + encodeURIComponent(value.toWellFormed())),
  },
);

const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "content-type": "text/plain" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "hx-request": "true" },
      { "sec-purpose": "prefetch" },
      { "accept-language": "\xff" },
      { "user-agent": marker },
      { accept: "text/html" },
    ),
  },
);

const visits: fc.Arbitrary<Visit> = fc.record<Visit>({
  kind: fc.constant("page"),
  visitor: fc.constantFrom(...visitors),
  path: paths,
  hop: fc.option(fc.nat(60), { nil: undefined, freq: 2 }),
  form: fc.nat(12),
  changes: fc.array(fc.record({ field: fc.nat(12), value: values }), { maxLength: 6 }),
  more: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.tuple(fc.oneof(fields, oddTexts), values), { maxLength: 3 }),
    },
  ),
  without: fc.option(fc.nat(6), { nil: undefined, freq: 1 }),
  cookies: fc.constantFrom("own", "own", "own", "own", "own", "own", "none", "odd", "other"),
  headers,
  address: addresses,
});

const registration = valuesOf({
  type: "object",
  required: ["redirect_uris"],
  properties: {
    client_name: { type: "string", maxLength: 80 },
    redirect_uris: {
      type: "array",
      items: {
        enum: [
          ...[
            "http://127.0.0.1:4000/cb",
            "https://a.example/cb",
            "cursor://x/cb",
            "javascript:alert(1)",
            "http://a.example",
          ],
          ...[
            "https://a.example/cb#x",
            "http://[::1]:1/",
            "x",
            "",
            "https://user:pw@a.example/",
            `https://${"a".repeat(5000)}`,
          ],
        ],
      },
    },
    grant_types: {
      type: "array",
      items: { enum: ["authorization_code", "refresh_token", "password", ""] },
    },
    response_types: { type: "array", items: { enum: ["code", "token"] } },
    token_endpoint_auth_method: { enum: ["none", "client_secret_basic", "x"] },
    scope: { enum: ["search profile", "offline_access", "x y", ""] },
    client_uri: { enum: ["https://a.example", "javascript:1", marker] },
    logo_uri: { type: "string" },
    contacts: { type: "array", items: { type: "string" } },
  },
});

const parameters = fc.dictionary(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom(
        "resource",
        "prompt",
        "login_hint",
        "code",
        "refresh_token",
        "token",
        "client_secret",
        "grant_type",
        "nonce",
        "request",
        "max_age",
        "claims",
        "response_mode",
      ),
    },
    { weight: 1, arbitrary: oddTexts },
  ),
  fc.oneof(
    values,
    fc.constantFrom("{client}", "login consent", "none", "query", "http://127.0.0.1:4000/cb"),
  ),
  { maxKeys: 5 },
);
const usual = fc.record({
  response_type: fc.constantFrom("code", "code", "code", "token", ""),
  client_id: fc.constantFrom("{client}", "{client}", "{client}", "x", ""),
  redirect_uri: fc.constantFrom(
    "http://127.0.0.1:4000/cb",
    "http://127.0.0.1:4000/cb",
    "http://localhost:1/",
    "x",
  ),
  scope: fc.constantFrom("search", "search profile offline_access", "x", "", marker),
  state: values,
  code_challenge: fc.constantFrom("a".repeat(43), "a".repeat(43), "", "x"),
  code_challenge_method: fc.constantFrom("S256", "S256", "plain", ""),
  code_verifier: fc.constantFrom("a".repeat(43), "", "x"),
  grant_type: fc.constantFrom(
    "authorization_code",
    "refresh_token",
    "client_credentials",
    "password",
    "",
  ),
});
const forms = fc
  .tuple(usual, parameters)
  .map(([one, other]) => new URLSearchParams(wellFormed({ ...one, ...other })).toString());

function wellFormed(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
}

const formType = "application/x-www-form-urlencoded";
const endpoint = (path: string, how: Partial<Record<keyof AssistantCall, fc.Arbitrary<unknown>>>) =>
  fc.record<AssistantCall>({
    kind: fc.constant("assistant"),
    visitor: fc.constantFrom(...visitors),
    method: fc.constant("POST"),
    path: fc.constant(path),
    query: fc.constant(""),
    type: fc.constantFrom(formType, formType, formType, "application/json", "text/plain"),
    body: fc.oneof({ weight: 6, arbitrary: forms }, { weight: 1, arbitrary: oddTexts }),
    address: addresses,
    ...how,
  } as never) as fc.Arbitrary<AssistantCall>;

const assistantCalls = fc.oneof(
  endpoint("/oauth2/register", {
    type: fc.constantFrom("application/json", "application/json", "text/plain"),
    body: fc.oneof(registration, nearly(registration)).map((value: Json) => JSON.stringify(value)),
  }),
  endpoint("/oauth2/authorize", {
    method: fc.constant("GET"),
    query: forms,
    body: fc.constant(undefined),
  }),
  endpoint("/oauth2/token", {}),
  endpoint("/oauth2/revoke", {}),
  endpoint("/.well-known/oauth-authorization-server", {
    method: fc.constant("GET"),
    body: fc.constant(undefined),
    query: forms,
  }),
);

export const cases: fc.Arbitrary<Visit | AssistantCall> = fc.oneof(
  { weight: 4, arbitrary: visits },
  { weight: 1, arbitrary: assistantCalls },
);

/** Calls of the sign-in for assistants, as plain data. */
import fc from "fast-check";
import { nearly } from "../json/nearly.ts";
import { oddTexts } from "../json/odd.ts";
import { type Json, valuesOf } from "../json/values.ts";
import { weighted } from "../weighted.ts";
import { marker } from "./browser.ts";
import { addresses, type Visitor, values, visitors } from "./visits.ts";

export interface AssistantCall {
  readonly kind: "assistant";
  readonly visitor: Visitor;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** `{client}` stands for a registered client. */
  readonly query: string;
  readonly type: string;
  readonly body: string | undefined;
  readonly address: string;
}

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
  weighted(
    [
      9,
      fc.constantFrom(
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
    ],
    [1, oddTexts],
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
    body: weighted([6, forms], [1, oddTexts]),
    address: addresses,
    ...how,
  } as never) as fc.Arbitrary<AssistantCall>;

export const assistantCalls = fc.oneof(
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

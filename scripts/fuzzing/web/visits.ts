/** Visits to the pages, as plain data. */
import fc from "fast-check";
import { oddTexts } from "../json/odd.ts";
import { weighted } from "../weighted.ts";
import { marker } from "./browser.ts";

export const visitors = ["nobody", "user", "administrator"] as const;
export type Visitor = (typeof visitors)[number];

export interface Visit {
  readonly kind: "page";
  readonly visitor: Visitor;
  readonly path: string;
  /** The link of the page that is followed first. */
  readonly hop: number | undefined;
  /** The form of the page that is sent; a page without forms is only opened. */
  readonly form: number;
  readonly changes: readonly { readonly field: number; readonly value: string }[];
  readonly more: readonly (readonly [name: string, value: string])[];
  readonly without: number | undefined;
  readonly cookies: "own" | "none" | "odd" | "other";
  readonly headers: Readonly<Record<string, string>>;
  /** The address that the request seems to come from. */
  readonly address: string;
}

export const values = weighted(
  [4, fc.constant(marker)],
  [
    6,
    fc.constantFrom(
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
  ],
  [3, oddTexts],
);

export const addresses = fc
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

const paths = weighted(
  [
    8,
    fc.constantFrom(
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
      ...["/saved", "/admin", "/admin/runs", "/admin/identity", "/admin/usage", "/admin/model"],
      ...["/admin/settings", "/admin/forget"],
    ),
  ],
  [
    2,
    fc
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
          "/admin/audit?action=",
          "/admin/audit?format=csv&from=",
          "/admin/audit?actor=",
          "/admin/identity?at=",
          "/admin/identity/decisions?q=",
          "/admin/forget/",
          "/admin/forget?person=",
          "/saved/lists/",
          "/saved/searches/",
          "/",
        ),
        values,
      )
      .map(([path, value]) => path + encodeURIComponent(value.toWellFormed())),
  ],
);

const headers = weighted(
  [8, fc.constant({})],
  [
    2,
    fc.constantFrom<Record<string, string>>(
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
  ],
);

export const visits: fc.Arbitrary<Visit> = fc.record<Visit>({
  kind: fc.constant("page"),
  visitor: fc.constantFrom(...visitors),
  path: paths,
  hop: fc.option(fc.nat(60), { nil: undefined, freq: 2 }),
  form: fc.nat(12),
  changes: fc.array(fc.record({ field: fc.nat(12), value: values }), { maxLength: 6 }),
  more: weighted(
    [6, fc.constant([])],
    [1, fc.array(fc.tuple(fc.oneof(fields, oddTexts), values), { maxLength: 3 })],
  ),
  without: fc.option(fc.nat(6), { nil: undefined, freq: 1 }),
  cookies: fc.constantFrom("own", "own", "own", "own", "own", "own", "none", "odd", "other"),
  headers,
  address: addresses,
});

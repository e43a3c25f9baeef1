/**
 * Protects forms against cross-site request forgery. A form is accepted under three conditions: the browser states this origin,
 * the request has the cookie that identifies the browser, and the form contains the token for that cookie and the account.
 */
import { createHmac } from "node:crypto";
import { createInvalidRequest } from "../../contract/problem.ts";
import { describeCookieScope } from "../../network/public-url.ts";
import { isSameSecret } from "../../network/same-secret.ts";

export interface Forms {
  /** @returns the id of the browser, and a Set-Cookie line if the browser had no id yet. */
  browserOf(request: Request): { readonly id: string; readonly cookies: readonly string[] };
  tokenFor(browserId: string, accountId: string | undefined): string;
  /** Creates a mark for a form. The mark proves that a page has shown this person to this account. */
  markShown(accountId: string | undefined, login: string): string;
  /** @throws Problem with status 403 if the request comes from a page of another origin. */
  refuseForeign(request: Request): void;
  /** @throws Problem with status 403 if the tokens differ. */
  refuseWrongToken(token: string, expected: string): void;
}

interface FormsOptions {
  readonly publicUrl: () => string;
  readonly random: (bytes: number) => Uint8Array;
}

export function createForms({ publicUrl, random }: FormsOptions): Forms {
  // The secret is not stored. After a restart, open forms are refused, and users must open their pages again.
  const secret = random(32);
  const sign = (...parts: readonly (string | null)[]) =>
    createHmac("sha256", secret).update(JSON.stringify(parts)).digest("hex");
  const scope = () => describeCookieScope(publicUrl());
  const cookieName = () => `${scope().prefix}roster-forms`;
  return {
    browserOf: (request) => {
      const known = new Bun.CookieMap(request.headers.get("cookie") ?? "").get(cookieName());
      if (known && /^[0-9a-f]{32}$/.test(known)) return { id: known, cookies: [] };
      const id = Buffer.from(random(16)).toString("hex");
      return { id, cookies: [`${cookieName()}=${id}; ${scope().attributes}`] };
    },
    tokenFor: (browserId, accountId) => sign(browserId, accountId ?? null),
    markShown: (accountId, login) => sign("shown", accountId ?? null, login.toLowerCase()),
    refuseForeign: (request) => {
      const site = request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin") throw createForeignProblem();
      const origin = request.headers.get("origin");
      if (origin === null || origin === new URL(publicUrl()).origin) return;
      // The host of the request is accepted too, because a browser may use a loopback name.
      if (!URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host)
        throw createForeignProblem();
    },
    refuseWrongToken: (token, expected) => {
      if (isSameSecret(token, expected)) return;
      const message = "This form is out of date: open the page again and send it once more.";
      throw createInvalidRequest(message, 403);
    },
  };
}

const createForeignProblem = () =>
  createInvalidRequest("This form was sent from another site, so nothing was done.", 403);

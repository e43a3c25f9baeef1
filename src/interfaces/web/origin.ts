/**
 * Whether a form was sent by a page of ours. Three things must hold: the browser says that the request comes from
 * this origin, it sends back the cookie that ties forms to this browser, and the form holds the token that only
 * a page made for that cookie and that account can hold.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Problem } from "../../contract/problem.ts";

export interface Forms {
  /** This browser's id, and the Set-Cookie line when it had none. */
  browserOf(request: Request): { readonly id: string; readonly cookies: readonly string[] };
  tokenFor(browserId: string, accountId: string | undefined): string;
  /** @throws Problem with status 403. */
  refuseForeign(request: Request): void;
  /** @throws Problem with status 403. */
  refuseWrongToken(token: string, expected: string): void;
}

interface FormsOptions {
  readonly publicUrl: () => string;
  readonly random: (bytes: number) => Uint8Array;
}

export function createForms({ publicUrl, random }: FormsOptions): Forms {
  // For this process alone: after a restart a form that was open is shown anew, nothing more.
  const secret = random(32);
  const isSecure = () => publicUrl().startsWith("https:");
  const cookieName = () => (isSecure() ? "__Host-roster-forms" : "roster-forms");
  return {
    browserOf: (request) => {
      const known = new Bun.CookieMap(request.headers.get("cookie") ?? "").get(cookieName());
      if (known && /^[0-9a-f]{32}$/.test(known)) return { id: known, cookies: [] };
      const id = Buffer.from(random(16)).toString("hex");
      const line = `${cookieName()}=${id}; Path=/; HttpOnly; SameSite=Lax`;
      return { id, cookies: [isSecure() ? `${line}; Secure` : line] };
    },
    tokenFor: (browserId, accountId) =>
      createHmac("sha256", secret)
        .update(JSON.stringify([browserId, accountId ?? null]))
        .digest("hex"),
    refuseForeign: (request) => {
      const site = request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin") throw foreign();
      const origin = request.headers.get("origin");
      if (origin === null || origin === new URL(publicUrl()).origin) return;
      // On a loopback name that is not the public one; behind a proxy the public one is what browsers send.
      if (!URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host)
        throw foreign();
    },
    refuseWrongToken: (token, expected) => {
      const [given, right] = [Buffer.from(token), Buffer.from(expected)];
      if (given.length === right.length && timingSafeEqual(given, right)) return;
      throw new Problem("invalid_request", {
        status: 403,
        message: "This form is out of date: open the page again and send it once more.",
      });
    },
  };
}

const foreign = () =>
  new Problem("invalid_request", {
    status: 403,
    message: "This form was sent from another site, so nothing was done.",
  });

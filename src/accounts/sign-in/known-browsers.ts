import { createHmac, timingSafeEqual } from "node:crypto";
import { describeCookieScope } from "../../network/public-url.ts";
import { createRandomBase62 } from "../keys.ts";
import type { SignInDependencies } from "./sign-in-options.ts";

const rememberedSeconds = 180 * 24 * 3600;

/**
 * Recognizes by a cookie the browsers in which an account has signed in with its password. Wrong guesses by others in the network
 * do not block a known browser. The cookie grants no access.
 */
export function createKnownBrowsers({
  control,
  publicUrl,
}: Pick<SignInDependencies, "control" | "publicUrl">) {
  const scope = () => describeCookieScope(publicUrl());
  const cookieName = () => `${scope().prefix}roster-known`;
  const sign = async (accountId: string, id: string) =>
    createHmac("sha256", await control.signIn.secret())
      .update(JSON.stringify(["known browser", accountId, id]))
      .digest();
  return {
    /** @returns the id of the browser, if the account has signed in there before. */
    find: async (request: Request | undefined, accountId: string | undefined) => {
      const cookies = new Bun.CookieMap(request?.headers.get("cookie") ?? "");
      const [, id, given = ""] =
        /^([0-9A-Za-z]{22})\.([0-9a-f]{64})$/.exec(cookies.get(cookieName()) ?? "") ?? [];
      if (id === undefined || accountId === undefined) return undefined;
      return timingSafeEqual(await sign(accountId, id), Buffer.from(given, "hex")) ? id : undefined;
    },
    /** @returns a Set-Cookie line by which `find` recognizes the browser later. */
    mark: async (accountId: string) => {
      const id = createRandomBase62(22);
      const value = `${id}.${(await sign(accountId, id)).toString("hex")}`;
      return `${cookieName()}=${value}; Max-Age=${rememberedSeconds}; ${scope().attributes}`;
    },
  };
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { ControlStore } from "../../control/control-store.ts";
import { describeCookieScope } from "../../network/public-url.ts";
import { createRandomBase62 } from "../keys.ts";
import type { Library } from "../library/library.ts";
import type {
  CookieLines,
  RequestOrigin,
  SignInDependencies,
  SignInOptions,
  VerifiedAccount,
} from "./sign-in-options.ts";
import { describeSessionCookie } from "./tokens.ts";

/** The dependencies that all parts of sign-in share. */
export type SignInContext = ReturnType<typeof createSignInContext>;

interface LibraryRequest {
  readonly headers: Bun.HeadersInit;
  readonly body?: string | undefined;
}

const pruneEveryMs = 3_600_000;

export function createSignInContext(control: ControlStore, options: SignInOptions) {
  const { now, publicUrl } = options;
  let loading: Promise<Library> | undefined;
  let loadedFor: object | undefined;
  let prunedMs = 0;
  /** Removes expired rows, at most once an hour. */
  const prune = async () => {
    const at = now();
    if (Math.abs(at.getTime() - prunedMs) < pruneEveryMs) return;
    prunedMs = at.getTime();
    await control.signIn.prune(at);
  };
  const cookie = () => describeSessionCookie(publicUrl());
  const entry: SignInDependencies["entry"] = (action, accountId, detail = {}) => {
    return { at: now(), actor: accountId, action, subject: accountId, detail };
  };
  /** Loads the library at the first use, and after a change of the providers. Each call also removes expired rows. */
  const library = async (): Promise<Library> => {
    await prune();
    if (loadedFor !== options.providers()) loading = undefined;
    loadedFor = options.providers();
    loading ??= load({ ...options, control, cookie, entry }).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const knownBrowsers = createKnownBrowsers({ control, publicUrl });
  return {
    ...options,
    control,
    library,
    knownBrowsers,
    cookie,
    prune,
    entry,
    /** Sends an HTTP request to the library. The method is POST if there is a body, and otherwise GET. */
    askLibrary: async (path: string, { headers, body }: LibraryRequest): Promise<Response> => {
      const { handler } = await library();
      const init = body === undefined ? { headers } : { headers, method: "POST", body };
      return handler(new Request(`${publicUrl()}${path}`, init));
    },
    /** @returns undefined if the account was disabled, or its password changed, after the password was verified. */
    async openSession(
      { account, hash }: VerifiedAccount,
      { address, userAgent }: RequestOrigin,
      action: "session.opened" | "session.confirmed" = "session.opened",
    ): Promise<CookieLines | undefined> {
      await control.signIn.ensureUser(account, now());
      const { api } = await library();
      const body = { accountId: account.id, address, userAgent };
      const { headers, response } = await api.openSession({ body, returnHeaders: true });
      const { id } = response;
      if (id === undefined) return undefined;
      // This check comes after opening the session, because a later change of the password ends the session.
      if ((await control.signIn.findPassword(account.id)) !== hash) {
        await control.signIn.endSessions(account.id, { id }, entry("session.ended", account.id));
        return undefined;
      }
      const detail = { session: id, address: address ?? null };
      await control.record(entry(action, account.id, detail));
      return [...headers.getSetCookie(), await knownBrowsers.mark(account.id)];
    },
  };
}

async function load(context: SignInDependencies) {
  const { openLibrary } = await import("../library/library.ts");
  const { publicUrl } = context;
  const providers = context.providers();
  if (providers.length === 0) return openLibrary(context, []);
  const { createSingleSignOn } = await import("../library/single-sign-on.ts");
  return openLibrary(context, [createSingleSignOn(providers, publicUrl())]);
}

/** Posts JSON to the library. The library sees a request from a page at the public address. */
export function callLibrary(
  { askLibrary, publicUrl }: Pick<SignInContext, "askLibrary" | "publicUrl">,
  path: string,
  body: object,
  cookie = "",
): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const { origin } = new URL(publicUrl());
  const init = { headers: { ...headers, origin, cookie }, body: JSON.stringify(body) };
  return askLibrary(path, init);
}

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

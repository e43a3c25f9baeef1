import type { ControlStore } from "../../control/control-store.ts";
import type { Library } from "../library/library.ts";
import { createKnownBrowsers } from "./known-browsers.ts";
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

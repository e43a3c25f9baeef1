/** What the authorization server decides by itself, before and beside the library: who asks, and for what. */
import type { RegisteredClient } from "../../control/sign-in-store.ts";
import { createRandomBase62, systemRandom } from "../keys.ts";
import { findBrowserSession } from "../sign-in/sessions.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { openTurns } from "../turns.ts";
import { type ClientDescription, parseRegistration } from "./clients.ts";
import { getResourceUrl, type OAuthRefusal, scopes, toAudience } from "./oauth.ts";
import { toRedirectKey } from "./redirects.ts";

type RegistrationOutcome =
  | { readonly ok: true; readonly client: RegisteredClient; readonly at: Date }
  | OAuthRefusal;

export interface Authorization extends Pick<SignInContext, "askLibrary"> {
  /**
   * Fills in what a client left out of its request for authorization, and asks the person each time about a client
   * that nobody vouched for.
   *
   * @returns `undefined` when no client is registered under the id in the query.
   */
  completeAuthorization(
    query: URLSearchParams,
  ): Promise<{ readonly isVerified: boolean } | undefined>;
  /** Whether who is signed in has allowed this client anything so far. */
  hasConsented(request: Request, clientId: string): Promise<boolean>;
  /**
   * Dynamic registration (RFC 7591). A client that says of itself what a known one said is given that one's id: such
   * clients are public and have no secret, and consent is each person's own, so there is nothing to keep apart.
   */
  registerClient(description: unknown, address: string | undefined): Promise<RegistrationOutcome>;
}

const hourSeconds = 3600;

export function createAuthorization(context: SignInContext): Authorization {
  const { now, control, registrationsPerHour: missesMax, privateRedirects } = context;
  const store = control.signIn;
  const throttle = createThrottle({ now, missesMax, windowSeconds: hourSeconds });
  const inTurn = openTurns();
  const register = async (
    described: ClientDescription,
    address: string | undefined,
  ): Promise<RegistrationOutcome> => {
    const at = now();
    const known = (await store.listClientsNamed(described.name)).find(isLike(described));
    if (known) {
      await store.touchClient(known.clientId, at);
      return { ok: true, client: { ...described, clientId: known.clientId }, at };
    }
    const retryAfterSeconds = throttle.take(address);
    if (retryAfterSeconds !== undefined) {
      const error = "temporarily_unavailable";
      return { ok: false, error, description: "too many registrations", retryAfterSeconds };
    }
    const client = { ...described, clientId: `assistant_${createRandomBase62(16, systemRandom)}` };
    await store.addClient(client, at, undefined);
    return { ok: true, client, at };
  };
  return {
    askLibrary: context.askLibrary,
    completeAuthorization: async (query) => {
      const clientId = query.get("client_id") ?? "";
      const client = await store.findClient(clientId);
      if (clientId && !client) return undefined;
      const isVerified = client?.isVerified === true;
      complete(query, { publicUrl: context.publicUrl(), isVerified, allowed: client?.scopes });
      return { isVerified };
    },
    hasConsented: async (request, clientId) => {
      const session = await findBrowserSession(context, request);
      return session !== undefined && (await store.hasConsent(session.account.id, clientId));
    },
    registerClient: async (description, address) => {
      const read = parseRegistration(description, privateRedirects);
      if (!read.ok) return read;
      await context.prune();
      // Of several that come at once and are alike, the first is registered and the others get its id.
      return inTurn(keyOf(read.client), () => register(read.client, address));
    },
  };
}

interface Completion {
  readonly publicUrl: string;
  readonly isVerified: boolean;
  /** Default: every scope. */
  readonly allowed: readonly string[] | undefined;
}

function complete(
  query: URLSearchParams,
  { publicUrl, isVerified, allowed = Object.keys(scopes) }: Completion,
): void {
  const prompt = promptOf(query.get("prompt"), isVerified);
  if (prompt === "") query.delete("prompt");
  else query.set("prompt", prompt);
  const resources = query.getAll("resource").map((one) => toAudience(publicUrl, one));
  query.delete("resource");
  // There is one resource; older clients do not know that it can be named.
  if (resources.length === 0) resources.push(getResourceUrl(publicUrl));
  for (const resource of resources) query.append("resource", resource);
  const asked = query.get("scope")?.split(" ").filter(Boolean) ?? [];
  if (asked.length === 0) query.set("scope", allowed.join(" "));
  // Or the person would have to sign in anew each hour; it is shown at the consent and can be refused there.
  else if (allowed.includes("offline_access") && !asked.includes("offline_access")) {
    query.set("scope", [...asked, "offline_access"].join(" "));
  }
}

/** There is no page to choose among accounts, or to make one, in the middle of a grant. */
function promptOf(asked: string | null, isVerified: boolean): string {
  const prompts = asked?.split(" ") ?? [];
  if (isVerified) {
    return prompts.filter((one) => ["login", "consent", "none"].includes(one)).join(" ");
  }
  return prompts.includes("login") ? "login consent" : "consent";
}

function isLike(client: ClientDescription) {
  const key = keyOf(client);
  return (other: ClientDescription) => keyOf(other) === key;
}

function keyOf({ uri, softwareId, softwareVersion, redirectUris, scopes }: ClientDescription) {
  const described = [uri, softwareId, softwareVersion];
  return JSON.stringify([...described, redirectUris.map(toRedirectKey).sort(), [...scopes].sort()]);
}

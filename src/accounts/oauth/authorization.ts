/** What Roster decides about an authorization before it calls the library: which client may ask, and for which scopes. */
import type { RegisteredClient } from "../../control/sign-in-store.ts";
import { createRandomBase62, systemRandom } from "../keys.ts";
import { findBrowserSession } from "../sign-in/sessions.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { type ClientDescription, parseRegistration } from "./clients.ts";
import { getResourceUrl, isScope, type OAuthRefusal, scopes, toAudience } from "./oauth.ts";
import { toRedirectKey } from "./redirects.ts";
import { createTurns } from "./turns.ts";

type RegistrationOutcome =
  | { readonly ok: true; readonly client: RegisteredClient; readonly at: Date }
  | OAuthRefusal;

const hourSeconds = 3600;

export function createAuthorization(context: SignInContext) {
  const { now, control, registrationsPerHour: missesMax, privateRedirects } = context;
  const store = control.signIn;
  const throttle = createThrottle({ now, missesMax, windowSeconds: hourSeconds });
  const inTurn = createTurns();
  const register = async (
    described: ClientDescription,
    address: string | undefined,
  ): Promise<RegistrationOutcome> => {
    const at = now();
    const known = (await store.listClientsNamed(described.name)).find(isLike(described));
    if (known) {
      await store.renewClient(known.clientId, at);
      return { ok: true, client: { ...described, clientId: known.clientId }, at };
    }
    const retryAfterSeconds = throttle.take({ address });
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
    /**
     * Completes a client's authorization request with defaults, and requires consent each time for a client that the
     * operator did not register.
     *
     * @returns `undefined` when no client is registered under the id in the query.
     */
    completeAuthorization: async (query: URLSearchParams) => {
      const clientId = query.get("client_id") ?? "";
      const client = await store.findClient(clientId);
      if (clientId && !client) return undefined;
      const isVerified = client?.isVerified === true;
      complete(query, { publicUrl: context.publicUrl(), isVerified, allowed: client?.scopes });
      return { isVerified };
    },
    /** Whether the signed-in user has already consented to this client. */
    hasConsented: async (request: Request, clientId: string) => {
      const session = await findBrowserSession(context, request);
      return session !== undefined && (await store.hasConsent(session.account.id, clientId));
    },
    /**
     * Dynamic registration (RFC 7591). A client with the same description as a known one gets the same id: such clients
     * are public and have no secret, and each user gives their own consent, so nothing separates them.
     */
    registerClient: async (
      description: unknown,
      address: string | undefined,
    ): Promise<RegistrationOutcome> => {
      const read = parseRegistration(description, privateRedirects);
      if (!read.ok) return read;
      await context.prune();
      // Of several equal registrations at once, the first is stored and the others get its id.
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
  const prompt = choosePrompt(query.get("prompt"), isVerified);
  if (prompt === "") query.delete("prompt");
  else query.set("prompt", prompt);
  const resources = query.getAll("resource").map((one) => toAudience(publicUrl, one));
  query.delete("resource");
  // There is one resource; older clients do not send the parameter.
  if (resources.length === 0) resources.push(getResourceUrl(publicUrl));
  for (const resource of resources) query.append("resource", resource);
  const requested = query.get("scope")?.split(" ").filter(Boolean) ?? [];
  // Programs made for other servers ask for scopes of those as well (RFC 6749, 3.3). The library refuses a request for such
  // scopes alone.
  const known = requested.filter(isScope);
  if (requested.length === 0) query.set("scope", allowed.join(" "));
  else if (known.length > 0) {
    // Without it the user would have to sign in every hour; the consent page shows it, and consent can be refused.
    const lasting = allowed.includes("offline_access") ? ["offline_access"] : [];
    query.set("scope", [...new Set([...known, ...lasting])].join(" "));
  }
}

/** Drops prompts for choosing or creating an account, for which there is no page during a grant. */
function choosePrompt(requested: string | null, isVerified: boolean): string {
  const prompts = requested?.split(" ") ?? [];
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

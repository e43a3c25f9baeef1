/** Registers assistants, and adds defaults to their authorization requests. */
import { createTurns } from "../../contract/turns.ts";
import type { RegisteredClient } from "../../control/sign-in-store.ts";
import { createRandomBase62 } from "../keys.ts";
import { findBrowserSession } from "../sign-in/sessions.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { type ClientDescription, parseRegistration } from "./clients.ts";
import {
  getResourceUrl,
  isScope,
  type OAuthRefusal,
  scopes,
  toAudience,
  toRedirectKey,
} from "./oauth.ts";

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
    const namesakes = await store.listClientsNamed(described.name);
    const known = namesakes.find((other) => keyOf(other) === keyOf(described));
    if (known) {
      await store.renewClient(known.clientId, at);
      return { ok: true, client: { ...described, clientId: known.clientId }, at };
    }
    const retryAfterSeconds = throttle.take({ address });
    if (retryAfterSeconds !== undefined) {
      const error = "temporarily_unavailable";
      return { ok: false, error, description: "too many registrations", retryAfterSeconds };
    }
    const client = { ...described, clientId: `assistant_${createRandomBase62(16)}` };
    await store.addClient(client, at, undefined);
    return { ok: true, client, at };
  };
  return {
    askLibrary: context.askLibrary,
    /**
     * Adds defaults to an authorization request. Clients that the operator did not register must ask for consent each time.
     * @returns undefined if the client id is unknown.
     */
    completeAuthorization: async (query: URLSearchParams) => {
      const clientId = query.get("client_id") ?? "";
      const client = await store.findClient(clientId);
      if (clientId && !client) return undefined;
      const isVerified = client?.isVerified === true;
      complete(query, context.publicUrl(), isVerified, client?.scopes);
      return { isVerified };
    },
    /** Whether the signed-in user has already consented to this client. */
    hasConsented: async (request: Request, clientId: string) => {
      const session = await findBrowserSession(context, request);
      return session !== undefined && (await store.hasConsent(session.account.id, clientId));
    },
    /** Registers a client by the description that it sends (RFC 7591). Clients with equal descriptions share an id. */
    registerClient: async (
      description: unknown,
      address: string | undefined,
    ): Promise<RegistrationOutcome> => {
      const read = parseRegistration(description, privateRedirects);
      if (!read.ok) return read;
      await context.prune();
      // Equal registrations run one after the other. The first is stored, and the others get its id.
      return inTurn(keyOf(read.client), () => register(read.client, address));
    },
  };
}

/** @param allowed the scopes that the client may request. */
function complete(
  query: URLSearchParams,
  publicUrl: string,
  isVerified: boolean,
  allowed: readonly string[] = Object.keys(scopes),
): void {
  const prompt = choosePrompt(query.get("prompt"), isVerified);
  if (prompt === "") query.delete("prompt");
  else query.set("prompt", prompt);
  const resources = query.getAll("resource").map((one) => toAudience(publicUrl, one));
  query.delete("resource");
  // Older clients do not send `resource`.
  if (resources.length === 0) resources.push(getResourceUrl(publicUrl));
  for (const resource of resources) query.append("resource", resource);
  const requested = query.get("scope")?.split(" ").filter(Boolean) ?? [];
  // Unknown scopes are ignored, because some clients also request the scopes of other servers (RFC 6749, 3.3).
  const known = requested.filter(isScope);
  if (requested.length === 0) query.set("scope", allowed.join(" "));
  else if (known.length > 0) {
    // Without offline_access, the user would have to sign in every hour.
    const lasting = allowed.includes("offline_access") ? ["offline_access"] : [];
    query.set("scope", [...new Set([...known, ...lasting])].join(" "));
  }
}

/** Chooses the prompts. The prompts for choosing or creating an account are dropped, because Roster has no page for them. */
function choosePrompt(requested: string | null, isVerified: boolean): string {
  const prompts = requested?.split(" ") ?? [];
  if (isVerified) {
    return prompts.filter((one) => ["login", "consent", "none"].includes(one)).join(" ");
  }
  return prompts.includes("login") ? "login consent" : "consent";
}

function keyOf({ uri, softwareId, softwareVersion, redirectUris, scopes }: ClientDescription) {
  const described = [uri, softwareId, softwareVersion];
  return JSON.stringify([...described, redirectUris.map(toRedirectKey).sort(), [...scopes].sort()]);
}

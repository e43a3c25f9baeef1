/**
 * Dynamic registration (RFC 7591). A client that says of itself what a known one said is given that one's id: such
 * clients are public and have no secret, and consent is each person's own, so there is nothing to keep apart.
 */
import { createRandomBase62, systemRandom } from "../keys.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { openTurns } from "../turns.ts";
import {
  createJsonAnswer,
  createOAuthError,
  type EndpointAnswer,
  readFormText,
} from "./answers.ts";
import { toRedirectKey } from "./redirects.ts";
import { type ClientDescription, parseRegistration } from "./registration.ts";

const hourSeconds = 3600;

export function createRegistration(context: SignInContext): EndpointAnswer {
  const { now, control, registrationsPerHour: missesMax, privateRedirects } = context;
  const throttle = createThrottle({ now, missesMax, windowSeconds: hourSeconds });
  const inTurn = openTurns();
  const register = async (client: ClientDescription, address: string | undefined) => {
    const named = await control.signIn.listClientsNamed(client.name);
    const known = named.find(isLike(client));
    if (known) {
      await control.signIn.touchClient(known.clientId, now());
      return registered(known.clientId, client, now());
    }
    const waitSeconds = throttle.take(address);
    if (waitSeconds !== undefined) {
      const response = createOAuthError(429, "temporarily_unavailable", "too many registrations");
      response.headers.set("retry-after", String(waitSeconds));
      return response;
    }
    const clientId = `assistant_${createRandomBase62(16, systemRandom)}`;
    await control.signIn.addClient({ ...client, clientId }, now(), undefined);
    return registered(clientId, client, now());
  };
  return async (request, { address }) => {
    const read = parseRegistration(parsed(await readFormText(request)), privateRedirects);
    if (!read.ok) return createOAuthError(400, read.error, read.description);
    const { client } = read;
    await context.prune();
    // Of several that come at once and are alike, the first is registered and the others get its id.
    return inTurn(keyOf(client), () => register(client, address));
  };
}

function isLike(client: ClientDescription) {
  const key = keyOf(client);
  return (other: ClientDescription) => keyOf(other) === key;
}

function keyOf({ uri, softwareId, softwareVersion, redirectUris, scopes }: ClientDescription) {
  const described = [uri, softwareId, softwareVersion];
  return JSON.stringify([...described, redirectUris.map(toRedirectKey).sort(), [...scopes].sort()]);
}

/** What is left of what the client asked for (RFC 7591, 3.2.1). */
function registered(clientId: string, client: ClientDescription, at: Date): Response {
  return createJsonAnswer(201, {
    client_id: clientId,
    client_id_issued_at: Math.floor(at.getTime() / 1000),
    client_name: client.name,
    client_uri: client.uri,
    software_id: client.softwareId,
    software_version: client.softwareVersion,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: client.scopes.join(" "),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

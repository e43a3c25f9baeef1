import { createInvalidRequest, Problem } from "../../contract/problem.ts";
import type { NewAuditEntry } from "../../control/account-records.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { RegisteredClient } from "../../control/sign-in-store.ts";
import { quoteInput } from "../account-fields.ts";
import { createRandomBase62 } from "../keys.ts";
import {
  hasControls,
  isRedirect,
  isScope,
  type OAuthRefusal,
  type OAuthScope,
  scopes,
} from "./oauth.ts";

type AssistantClient = Readonly<
  Record<"clientId" | "name", string> & Record<"redirectUris", readonly string[]>
>;

interface ClientsOptions {
  readonly privateRedirects: readonly string[];
  readonly entry: (
    action: NewAuditEntry["action"],
    subject: { readonly id: string },
    detail: NewAuditEntry["detail"],
  ) => NewAuditEntry;
}

/** Manages the assistants that the operator registered. */
export function createOAuthClients(
  { signIn }: ControlStore,
  { privateRedirects, entry }: ClientsOptions,
) {
  return {
    /** @throws Problem `invalid_request` if a field is wrong. The message names the field. */
    register: async ({
      name,
      redirectUris,
    }: Pick<AssistantClient, "name" | "redirectUris">): Promise<AssistantClient> => {
      if (name.trim() === "") throw createInvalidRequest("the name must not be blank");
      const described = { client_name: name, redirect_uris: redirectUris };
      const read = parseRegistration(described, privateRedirects);
      if (!read.ok) throw createInvalidRequest(read.description);
      if (read.dropped.length > 0)
        throw createInvalidRequest(describeRefusedRedirect(read.dropped[0]));
      const clientId = `assistant_${createRandomBase62(16)}`;
      const by = entry("client.registered", { id: clientId }, { name });
      await signIn.addClient({ ...read.client, clientId }, by.at, by);
      return { clientId, name, redirectUris };
    },
    list: (): Promise<readonly AssistantClient[]> => signIn.listVerifiedClients(),
    /** Removes an assistant. No process accepts its tokens afterwards. @throws Problem `not_found`. */
    remove: async (clientId: string) => {
      if (await signIn.removeClient(clientId, entry("client.removed", { id: clientId }, {})))
        return;
      throw new Problem("not_found", { message: `no assistant has the client id "${clientId}"` });
    },
  };
}

/** The stored part of the description that a client sends about itself. */
export type ClientDescription = Omit<RegisteredClient, "clientId">;

type ParsedRegistration =
  | {
      readonly ok: true;
      readonly client: ClientDescription;
      /** The refused redirect addresses. The client is registered without them. */
      readonly dropped: readonly unknown[];
    }
  | OAuthRefusal;

const texts = ["client_name", "client_uri", "software_id", "software_version"] as const;
const textLengthMax = 200;
const nameLengthMax = 100;
const redirectsMax = 20;

/** Checks the description that a client registers (RFC 7591). Fields with addresses to fetch, such as `jwks_uri`, are ignored. */
export function parseRegistration(
  body: unknown,
  privateRedirects: readonly string[],
): ParsedRegistration {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuse("invalid_client_metadata", "the body must be a JSON object");
  }
  const given = body as Record<string, unknown>;
  const redirects: unknown = given["redirect_uris"];
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > redirectsMax) {
    return refuse("invalid_redirect_uri", `redirect_uris must be a list of 1 to ${redirectsMax}`);
  }
  const redirectUris = redirects.filter((uri) => isRedirect(uri, privateRedirects));
  const dropped = redirects.filter((uri) => !redirectUris.includes(uri));
  if (redirectUris.length === 0)
    return refuse("invalid_redirect_uri", describeRefusedRedirect(dropped[0]));
  for (const name of texts) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || value.length > textLengthMax || hasControls(value)) {
      const rule = `must be a text of at most ${textLengthMax} characters`;
      return refuse("invalid_client_metadata", `${name} ${rule}`);
    }
  }
  const [name, uri, softwareId, softwareVersion] = texts.map((one) => given[one] as string);
  if (name !== undefined && !isName(name)) {
    const rule = "must be a name that people can read, of at most 100 characters";
    return refuse("invalid_client_metadata", `client_name ${rule}`);
  }
  if (uri !== undefined && !/^https?:\/\/[^\s/]+(?:\/\S*)?$/.test(uri)) {
    return refuse("invalid_client_metadata", "client_uri must be an http or https address");
  }
  const described = { name, uri, softwareId, softwareVersion };
  const client = { ...described, redirectUris, scopes: selectScopes(given["scope"]) };
  return { ok: true, client, dropped };
}

function describeRefusedRedirect(uri: unknown): string {
  const rule =
    "must be https, or http on 127.0.0.1, [::1] or localhost, or one that the operator named (assistants.privateRedirects), without a fragment";
  return `redirect_uris ${rule}, got ${quoteInput(String(uri))}`;
}

/** Selects the requested scopes, or all scopes if the client requests none of Roster's. offline_access is always included. */
function selectScopes(requested: unknown): readonly OAuthScope[] {
  const all = Object.keys(scopes) as OAuthScope[];
  const words = typeof requested === "string" ? requested.split(" ") : [];
  // Next to `openid`, `profile` means OpenID Connect's scope and not Roster's.
  const wanted = words.includes("openid") ? [] : words.filter(isScope);
  const isRequested = (one: OAuthScope) => wanted.includes(one) || one === "offline_access";
  return wanted.some((one) => one !== "offline_access") ? all.filter(isRequested) : all;
}

/** Whether the consent page can show the name. The name must be visible, short, and on one line. */
function isName(text: string): boolean {
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(
    text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ""),
  );
  return isVisible && [...text].length <= nameLengthMax && !/[\p{Zl}\p{Zp}]|\p{M}{4}/u.test(text);
}

function refuse(error: string, description: string): ParsedRegistration {
  return { ok: false, error, description };
}

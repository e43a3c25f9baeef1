/**
 * What of a client's own description is believed (RFC 7591). Clients that register by themselves are public:
 * nothing they could be given to keep would be a secret. Whatever would make us fetch something is left out.
 */
import { scopes } from "./oauth.ts";

type Metadata = Record<string, unknown>;

const texts = ["client_name", "client_uri", "software_id", "software_version"] as const;
const textLengthMax = 200;
const nameLengthMax = 100;
const redirectsMax = 20;

export type Registration =
  | { readonly ok: true; readonly metadata: Metadata }
  | { readonly ok: false; readonly error: string; readonly description: string };

export function readRegistration(body: unknown): Registration {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return wrong("invalid_client_metadata", "the body must be a JSON object");
  }
  const given = body as Metadata;
  const redirects = given["redirect_uris"];
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > redirectsMax) {
    return wrong("invalid_redirect_uri", `redirect_uris must be a list of 1 to ${redirectsMax}`);
  }
  for (const uri of redirects) {
    if (kindOf(uri)) continue;
    const rule = "must be https, or http on 127.0.0.1, [::1] or localhost, without a fragment";
    return wrong("invalid_redirect_uri", `each of redirect_uris ${rule}`);
  }
  const described: Metadata = {};
  for (const name of texts) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || value.length > textLengthMax || hasControls(value)) {
      const rule = `must be a text of at most ${textLengthMax} characters`;
      return wrong("invalid_client_metadata", `${name} ${rule}`);
    }
    described[name] = value;
  }
  const name = described["client_name"];
  if (name !== undefined && !isName(name as string)) {
    const rule = "must be a name that people can read, of at most 100 characters";
    return wrong("invalid_client_metadata", `client_name ${rule}`);
  }
  const uri = described["client_uri"];
  if (uri !== undefined && !/^https?:\/\/[^\s/]+(?:\/\S*)?$/.test(String(uri))) {
    return wrong("invalid_client_metadata", "client_uri must be an http or https address");
  }
  const isNative = redirects.some((redirect) => kindOf(redirect) === "loopback");
  return {
    ok: true,
    metadata: {
      ...described,
      redirect_uris: redirects,
      application_type: isNative ? "native" : "web",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: Object.keys(scopes).join(" "),
    },
  };
}

function kindOf(uri: unknown): "https" | "loopback" | undefined {
  if (typeof uri !== "string" || uri.length > 2000 || !URL.canParse(uri)) return undefined;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#") || username || password || hasControls(uri)) return undefined;
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol === "http:") return isLoopback ? "loopback" : undefined;
  return protocol === "https:" && !isLoopback ? "https" : undefined;
}

/** As it stands in the question whether somebody wants it: it can be seen, and is no speech. */
function isName(text: string): boolean {
  const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(
    text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ""),
  );
  return isSeen && [...text].length <= nameLengthMax && !/[\p{Zl}\p{Zp}]|\p{M}{4}/u.test(text);
}

function hasControls(text: string): boolean {
  // Control and format characters: a name must not be able to rearrange the page that shows it.
  return !text.isWellFormed() || /[\p{Cc}\p{Cf}]/u.test(text);
}

function wrong(error: string, description: string): Registration {
  return { ok: false, error, description };
}

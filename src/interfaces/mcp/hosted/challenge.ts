/** Who is not let in, or not to a tool, is told how to get there: RFC 6750, RFC 9728. */
import { getResourceMetadataUrl, httpsOnly, type Identity } from "../../../accounts/accounts.ts";
import type { Operation } from "../../../operations/operation.ts";
import { createRpcRefusal } from "./messages.ts";

export interface WaysIn {
  readonly publicUrl: string;
  readonly acceptsKeys: boolean;
}

/** 401. No scope is named, so that the assistant may ask for all of them. */
export function createUnauthorized(request: Request, { publicUrl, acceptsKeys }: WaysIn): Response {
  const { headers } = request;
  const metadata = getResourceMetadataUrl(publicUrl, request);
  const ways = [
    metadata !== undefined && "sign in by browser (OAuth), as assistants do by themselves",
    acceptsKeys && 'send an API key as "Authorization: Bearer rst_..." or "X-Api-Key: rst_..."',
    // Where no browser sign-in can be, the one who configures the assistant is told why.
    metadata === undefined && httpsOnly,
  ].filter(Boolean);
  const how = `${ways.join("; or ") || "no way in is open here"}.`;
  if (!headers.has("authorization") && !headers.has("x-api-key")) {
    return challenge(401, `Not signed in: ${how}`, { resource_metadata: metadata });
  }
  const error_description = "The token or key is unknown, expired or revoked";
  const error = { error: "invalid_token", error_description };
  return challenge(401, `${error_description}: ${how}`, { ...error, resource_metadata: metadata });
}

/** 403. The scope names what the token has too: the next one replaces it. */
export function createInsufficientScope(
  request: Request,
  { scope, name }: Operation,
  { scopes = [], publicUrl }: Pick<Identity, "scopes"> & Pick<WaysIn, "publicUrl">,
): Response {
  const error_description = `${name} needs the scope ${scope}, which was not granted`;
  return challenge(403, `${error_description}: connect anew and allow it.`, {
    error: "insufficient_scope",
    error_description,
    scope: [...new Set([...scopes, scope])].join(" "),
    resource_metadata: getResourceMetadataUrl(publicUrl, request),
  });
}

/** @param parameters none of which has a quote in it. */
function challenge(
  status: number,
  message: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Response {
  const shown = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}="${value}"`,
  );
  const response = createRpcRefusal(status, message);
  response.headers.set("www-authenticate", ["Bearer", shown.join(", ")].join(" ").trim());
  return response;
}

/** How the authorization server's routes read a request, ask the library, and refuse. */
import { readBody } from "../../network/request.ts";
import type { RequestOrigin, SignInContext } from "../sign-in/sign-in-context.ts";
import { addressHeader } from "./oauth.ts";

export type EndpointAnswer = (
  request: Request,
  from: RequestOrigin,
) => Response | Promise<Response>;

const bodyBytesMax = 16 * 1024;

export async function readFormText(request: Request, bytesMax = bodyBytesMax): Promise<string> {
  return new TextDecoder().decode(await readBody(request, bytesMax));
}

/** Errors have the form of the OAuth specifications. */
export function createOAuthError(status: number, error: string, description: string): Response {
  return createJsonAnswer(status, { error, error_description: description });
}

export function createJsonAnswer(status: number, body: object): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers });
}

/** What the library is told in place of the request's own. */
export interface RequestChange {
  readonly search?: string;
  readonly body?: string;
  readonly withCookie?: boolean;
  readonly address?: string | undefined;
}

/**
 * Sends the request to the library under the public address, without whatever a stranger could steer it by:
 * forwarded headers, cookies where none are needed.
 */
export async function forwardToLibrary(
  context: SignInContext,
  request: Request,
  change: RequestChange,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  for (const name of ["accept", "content-type", "authorization", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (change.address !== undefined) headers.set(addressHeader, change.address);
  const cookie = request.headers.get("cookie");
  if (change.withCookie && cookie !== null) headers.set("cookie", cookie);
  const { handler } = await context.library();
  const url = `${context.publicUrl()}${pathname}${change.search ?? search}`;
  const { body } = change;
  return handler(
    new Request(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) }),
  );
}

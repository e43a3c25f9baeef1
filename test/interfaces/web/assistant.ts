/** An assistant on this machine: registers, waits for its browser at a callback, redeems what comes. */
import { createHash, randomBytes } from "node:crypto";

/** Where an assistant waits for the browser that comes back. */
export interface Callback {
  readonly address: string;
  /** What the next browser brings, or has just brought. */
  came(): Promise<URLSearchParams>;
  close(): void;
}

export function openCallback(): Callback {
  let next = Promise.withResolvers<URLSearchParams>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      next.resolve(new URL(request.url).searchParams);
      const html = "<!doctype html><title>Done</title><link rel=icon href=data:,><p>Connected.";
      return new Response(html, { headers: { "content-type": "text/html" } });
    },
  });
  return {
    address: `${server.url.origin}/callback`,
    came: async () => {
      const params = await next.promise;
      next = Promise.withResolvers();
      return params;
    },
    close: () => {
      void server.stop(true);
    },
  };
}

export interface TestAssistant {
  readonly callback: Callback;
  register(): Promise<void>;
  /** Where it sends its person. */
  authorizationUrl(): string;
  /** Turns the code that came into tokens. */
  redeem(): Promise<void>;
}

export function openAssistant(roster: string, name: string): TestAssistant {
  const callback = openCallback();
  let clientId = "";
  const verifier = randomBytes(32).toString("base64url");
  const post = async (path: string, body: string | URLSearchParams, headers = {}) => {
    const response = await fetch(`${roster}${path}`, { method: "POST", body, headers });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return await response.json();
  };
  return {
    callback,
    register: async () => {
      const metadata = JSON.stringify({ client_name: name, redirect_uris: [callback.address] });
      const made = await post("/oauth2/register", metadata, { "content-type": "application/json" });
      clientId = (made as { client_id: string }).client_id;
    },
    authorizationUrl: () => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: callback.address,
        state: "the-state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      });
      return `${roster}/oauth2/authorize?${query}`;
    },
    redeem: async () => {
      const fields = {
        grant_type: "authorization_code",
        client_id: clientId,
        code: (await callback.came()).get("code") ?? "",
        redirect_uri: callback.address,
        code_verifier: verifier,
      };
      await post("/oauth2/token", new URLSearchParams(fields));
    },
  };
}

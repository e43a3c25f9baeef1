/** An assistant on this machine: registers, waits for its browser at a callback, redeems what comes. */
import { createHash, randomBytes } from "node:crypto";

export interface TestAssistant {
  /** Where it waits for the browser. */
  readonly callback: string;
  register(): Promise<void>;
  /** Where it sends its person. */
  authorizationUrl(): string;
  /** Turns the code that came into tokens. */
  redeem(): Promise<{ readonly access_token: string; readonly refresh_token: string }>;
  close(): void;
}

export function openAssistant(roster: string, name: string): TestAssistant {
  let came = new URLSearchParams();
  let clientId = "";
  const verifier = randomBytes(32).toString("base64url");
  const waiting = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      came = new URL(request.url).searchParams;
      const html = "<!doctype html><title>Done</title><link rel=icon href=data:,><p>Connected.";
      return new Response(html, { headers: { "content-type": "text/html" } });
    },
  });
  const callback = `${waiting.url.origin}/callback`;
  const post = async (path: string, body: string | URLSearchParams, headers = {}) => {
    const response = await fetch(`${roster}${path}`, { method: "POST", body, headers });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return await response.json();
  };
  return {
    callback,
    register: async () => {
      const metadata = JSON.stringify({ client_name: name, redirect_uris: [callback] });
      const made = await post("/oauth2/register", metadata, { "content-type": "application/json" });
      clientId = (made as { client_id: string }).client_id;
    },
    authorizationUrl: () => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: callback,
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
        code: came.get("code") ?? "",
        redirect_uri: callback,
        code_verifier: verifier,
      };
      return (await post("/oauth2/token", new URLSearchParams(fields))) as never;
    },
    close: () => {
      void waiting.stop(true);
    },
  };
}

/** A port that was free a moment ago: an address must be known before anything listens at it. */
export function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error("a listening server has no port");
  return port;
}

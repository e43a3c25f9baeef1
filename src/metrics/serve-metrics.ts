import { isSameSecret } from "../network/same-secret.ts";

/**
 * Serves `/metrics` on a separate listener, so that operators' figures are never on the callers' port.
 * @param at.readToken returns the bearer token that a monitor must send. Undefined means that no token is required.
 * @returns the address, and a function that stops the listener.
 * @throws the system's error if the port cannot be opened.
 */
export function serveMetrics(
  render: () => Promise<{ readonly text: string; readonly type: string }>,
  at: {
    readonly host: string;
    readonly port: number;
    readonly readToken: (() => string) | undefined;
  },
): { readonly address: string; close(): Promise<void> } {
  const { host: hostname, port, readToken } = at;
  const server = Bun.serve({
    hostname,
    port,
    development: false,
    reusePort: false,
    fetch: async (request) => {
      if (new URL(request.url).pathname !== "/metrics")
        return answer(404, "Only /metrics is here.");
      if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "Only GET.");
      if (readToken && !isAllowed(request.headers.get("authorization"), readToken())) {
        return answer(401, "The bearer token is wrong or missing.");
      }
      const { text, type } = await render();
      return new Response(text, { headers: { "content-type": type, "cache-control": "no-store" } });
    },
    error: () => answer(500, "The state of the server cannot be read now; its log says why."),
  });
  return { address: `${server.url.origin}/metrics`, close: () => server.stop(true) };
}

function answer(status: number, text: string): Response {
  const headers: Record<string, string> = { "content-type": "text/plain; charset=utf-8" };
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="Roster metrics"';
  if (status === 405) headers["allow"] = "GET, HEAD";
  return new Response(`${text}\n`, { status, headers });
}

function isAllowed(authorization: string | null, token: string): boolean {
  const [, given] = /^Bearer (.+)$/i.exec(authorization ?? "") ?? [];
  return given !== undefined && isSameSecret(given, token);
}

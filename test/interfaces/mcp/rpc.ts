/** Speaks to /mcp as bare JSON-RPC, so that a test sees every status and header. */

export interface Rpc {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: Tests read deep into what the clients validate elsewhere.
  readonly body: any;
}

type Handle = (request: Request) => Promise<Response>;

export function openRpc(handle: Handle, key: string, base = "http://localhost", path = "/mcp") {
  /** @param body sent as JSON, unless it is text or bytes. */
  const post = async (body: unknown, own: Record<string, string> = {}): Promise<Rpc> => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...own,
    };
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const sent = isRaw ? (body as string) : JSON.stringify(body);
    const response = await handle(
      new Request(base + path, { method: "POST", headers, body: sent }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
  };
  /** One tool call in the protocol of 2025. */
  const call = async (name: string, input: unknown, id: string | number = 1) =>
    (await post(toolCall(name, input, id))).body;
  return { post, call };
}

export function toolCall(name: string, input: unknown, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}

/** The same call in the protocol of 2026-07-28, with the headers that belong to it. */
export function modernCall(name: string, input: unknown, id: string | number = 1) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { ...toolCall(name, input, id), params: { name, arguments: input, _meta } };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  return { body, headers };
}

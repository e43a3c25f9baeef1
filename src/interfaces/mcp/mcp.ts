/**
 * The MCP interface: the operations as tools of AI assistants. Hosted, it is a route of the HTTP interface; local, a
 * process that an assistant starts, speaking over standard input and output and asking the REST service.
 */

export type { TokenAuthenticator } from "./hosted/authenticate-credentials.ts";
export { createMcpRoutes, type HostedOptions } from "./hosted/endpoint.ts";
export { type LocalOptions, serveLocal } from "./local/local.ts";

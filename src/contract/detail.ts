/** How much MCP's tools tell: everything that REST does, or what a small context has room for. */
export const details = ["full", "slim"] as const;
export type Detail = (typeof details)[number];

import type { Plan } from "./limits.ts";

/** Who asks, as an interface found out; the modules never learn through which interface. */
export interface Caller {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
  readonly requestId: string;
  /** IP address, where the call came over a network. */
  readonly address?: string | undefined;
}

/** What proved it. The charge reads it again, so a dead credential never spends a call. */
export interface Credential {
  readonly kind: "key" | "grant" | "operator";
  /** Never the secret itself: safe to log. */
  readonly id: string;
}

/** What an assistant can be granted: to search, and to look at single developers. */
export type Scope = "search" | "profile";

/** How much MCP's tools tell: everything that REST does, or what a small context has room for. */
export const details = ["full", "slim"] as const;
export type Detail = (typeof details)[number];

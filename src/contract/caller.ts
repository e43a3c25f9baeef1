import type { Plan } from "./limits.ts";

/** The account and credential behind one call. Modules never learn which interface the call came through. */
export interface Caller {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
  readonly requestId: string;
  /** IP address, where the call came over a network. */
  readonly address?: string | undefined;
  /** Whether the caller has disconnected. An answer that cannot be delivered is not charged. */
  readonly isGone?: (() => boolean) | undefined;
}

/** What proved who the caller is. The charge reads it again, so a revoked credential never spends a call. */
export interface Credential {
  readonly kind: "key" | "grant" | "session" | "operator";
  /** Never the secret itself: safe to log. */
  readonly id: string;
}

/** What an assistant can be granted: to search, and to read single developers. */
export type Scope = "search" | "profile";

/** How much MCP's tools answer: all that REST does, or only what fits a small context. */
export const details = ["full", "slim"] as const;
export type Detail = (typeof details)[number];

import type { Plan } from "./limits.ts";

/** The account and credential behind one call, whichever interface it came through. */
export interface Caller {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
  readonly requestId: string;
  /** IP address of a call over a network. */
  readonly address?: string | undefined;
  /** Whether the caller has disconnected. Then the call is not charged. */
  readonly isGone?: (() => boolean) | undefined;
}

/** Proof of who the caller is. The charge reads it again, so a revoked credential never spends a call. */
export interface Credential {
  readonly kind: "key" | "grant" | "session" | "operator";
  /** Never the secret itself: safe to log. */
  readonly id: string;
}

/** What an assistant can be granted: to search, and to read single developers. */
export type Scope = "search" | "profile";

/** How much the MCP tools answer: as much as REST, or what fits a small context. */
export const details = ["full", "slim"] as const;
export type Detail = (typeof details)[number];

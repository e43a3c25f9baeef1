import type { Plan } from "./limits.ts";

/** The account and credential behind one call. */
export interface Caller {
  readonly accountId: string;
  readonly plan: Plan;
  readonly credential: Credential;
  readonly requestId: string;
  /** The caller's IP address. It is undefined for a call that came over no network. */
  readonly address?: string | undefined;
  /** Whether the caller has disconnected. Such a call is not charged. */
  readonly isGone?: (() => boolean) | undefined;
}

/** Proof of the caller's identity. It is read again before the charge, so a revoked credential cannot spend calls. */
export interface Credential {
  readonly kind: "key" | "grant" | "session" | "operator";
  /** An id that is safe to log. */
  readonly id: string;
}

/** A permission of an assistant: to search, or to read single developers. */
export type Scope = "search" | "profile";

/** The length of MCP answers. `full` is as long as over REST, and `slim` fits a small context. */
export const details = ["full", "slim"] as const;
export type Detail = (typeof details)[number];

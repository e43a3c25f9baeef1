/** The part of the pool's port by which copies elsewhere follow it. */
import type { ChangesData } from "../contract/changes.ts";

/** How long the login of an erased person is kept for copies, in days. */
export const erasedLoginDays = 30;

export interface PoolChanges {
  /**
   * Lists who is new, changed or gone since an earlier answer. Whoever applies the changes in order has the visible people in
   * the end.
   */
  list(asked: AskedChanges): Promise<ChangesData>;
  /**
   * Deletes logins that are kept no longer: those of erased people after `erasedLoginDays`, and others after `keepDays`.
   * @param keepDays default: keeps the others.
   */
  prune(keepDays?: number): Promise<void>;
}

export interface AskedChanges {
  /** `next` of an earlier answer. Without it, everybody is listed as new. */
  readonly since?: string | undefined;
  readonly limit: number;
  /** Whether the caller may see the logins of erased people. */
  readonly canSeeErased: boolean;
}

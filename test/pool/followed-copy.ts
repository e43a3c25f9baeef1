import { expect } from "bun:test";
import type { Pool } from "../../src/pool/pool.ts";

/** Somebody's copy of the pool: what they were told, and what they read of it. */
export class FollowedCopy {
  readonly people = new Map<string, string>();
  starts = 0;
  private since: string | undefined;
  /** Whom a copy that starts anew has met again. */
  private met: Set<string> | undefined = new Set();
  private before: ReadonlySet<string> = new Set();
  readonly isOfAdministrator: boolean;

  private readonly isEager: boolean;

  constructor(isOfAdministrator: boolean, isEager: boolean) {
    this.isOfAdministrator = isOfAdministrator;
    this.isEager = isEager;
  }

  /** Reads one page. @returns whether there is more. */
  async readPage(pool: Pool, limit: number): Promise<boolean> {
    const asked = { since: this.since, limit, canSeeErased: this.isOfAdministrator };
    const { changes, next, hasMore, startAnew } = await pool.changes.list(asked);
    if (startAnew) {
      expect({ changes, next, hasMore }).toEqual({ changes: [], next: undefined, hasMore: false });
      this.starts++;
      this.since = undefined;
      this.met = new Set();
      return true;
    }
    expect(changes.length).toBeLessThanOrEqual(limit);
    for (const { login, change, formerLogin } of changes) {
      const key = login.toLowerCase();
      if (change === "erased") expect(this.isOfAdministrator).toBe(true);
      if (formerLogin !== undefined) this.people.delete(formerLogin.toLowerCase());
      if (change === "removed" || change === "erased") {
        this.people.delete(key);
        continue;
      }
      if (change === "changed") expect([...this.people.keys()]).toContain(key);
      // Who reads after each step cannot miss that somebody left and came back.
      if (change === "new" && this.isEager && !this.met)
        expect([...this.before]).not.toContain(key);
      const [facts] = await pool.findFacts([login]);
      // Somebody may be gone since; then a later page says so.
      if (facts) this.people.set(key, JSON.stringify(facts));
      this.met?.add(key);
    }
    this.since = next;
    if (hasMore) return true;
    if (this.met)
      for (const key of this.people.keys()) if (!this.met.has(key)) this.people.delete(key);
    this.met = undefined;
    return false;
  }

  async readAll(pool: Pool, limit: number): Promise<void> {
    this.before = new Set(this.people.keys());
    for (let pages = 0; await this.readPage(pool, limit); pages++) expect(pages).toBeLessThan(1000);
  }

  /** Fails unless the copy equals a fresh export. @param told what happened, for the failure. */
  async expectWhole(pool: Pool, told: readonly unknown[]): Promise<void> {
    const everybody = (await Array.fromAsync(pool.facts())).flat();
    const fresh = everybody.map((facts) => [facts.login.toLowerCase(), JSON.stringify(facts)]);
    const [copied, exported] = [Object.fromEntries(this.people), Object.fromEntries(fresh)];
    expect({ told, people: copied }).toEqual({ told, people: exported });
  }
}

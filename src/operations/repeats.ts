/** The answers of requests with an Idempotency-Key, in memory. */
import type { Payload } from "../contract/envelope.ts";
import { Problem } from "../contract/problem.ts";
import { repeatableMs } from "../control/quota.ts";
import { createWindowCounts } from "../control/window-counts.ts";

export type Repeats = ReturnType<typeof createRepeats>;

/** The new keys that an account may send in ten minutes. */
const keysMax = 10_000;
/** The most answers in memory, and their most characters. A repeat of an answer that is gone computes it again. */
const kept = {
  perAccount: { answers: 200, letters: 4_000_000 },
  inAll: { answers: 10_000, letters: 64_000_000 },
};

export type Outcome = Payload | Problem;

interface KeptAnswer {
  readonly accountId: string;
  readonly outcome: Outcome;
  readonly letters: number;
  readonly untilMs: number;
}

/** Keeps the answers of requests with a key in memory, and lets a repeat wait for the request that runs. */
export function createRepeats(now: () => Date) {
  const running = new Map<string, Promise<void>>();
  /** The oldest answer is first. */
  const answers = new Map<string, KeptAnswer>();
  const newKeys = createWindowCounts(now, repeatableMs / 1000);
  let erasures = "";
  const dropUntilFits = (max: typeof kept.inAll, isMeant: (one: KeptAnswer) => boolean) => {
    const meant = [...answers].filter(([, one]) => isMeant(one));
    let letters = meant.reduce((sum, [, one]) => sum + one.letters, 0);
    for (const [at, [id, one]] of meant.entries()) {
      if (meant.length - at <= max.answers && letters <= max.letters) return;
      letters -= one.letters;
      answers.delete(id);
    }
  };
  return {
    /** Waits until no other request with this id runs. @returns a function to call when this request has ended. */
    async enter(id: string): Promise<() => void> {
      for (let other = running.get(id); other; other = running.get(id)) await other;
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(id, promise);
      return () => {
        running.delete(id);
        resolve();
      };
    },
    /** @throws Problem `quota_exceeded` if the account sends too many keys. */
    countNewKey(accountId: string): void {
      const { count, leftSeconds } = newKeys.add(accountId, 1);
      if (count <= keysMax) return;
      const message = `Too many Idempotency-Keys: one account may send ${keysMax} in ten minutes. Try again in ${leftSeconds} seconds.`;
      throw new Problem("quota_exceeded", { message, retryAfterSeconds: leftSeconds });
    },
    /** @param state what the pool says about its erasures. A new erasure drops every answer. */
    find(id: string, state: string): Outcome | undefined {
      if (state !== erasures) answers.clear();
      erasures = state;
      const found = answers.get(id);
      return found && found.untilMs > now().getTime() ? found.outcome : undefined;
    },
    /** @param state what `find` was told before the answer was computed. */
    keep(id: string, accountId: string, outcome: Outcome, state: string): void {
      if (state !== erasures) return;
      const nowMs = now().getTime();
      const letters = outcome instanceof Problem ? outcome.message.length : outcome.length;
      answers.set(id, { accountId, outcome, letters, untilMs: nowMs + repeatableMs });
      for (const [old, { untilMs }] of answers) {
        if (untilMs > nowMs) break;
        answers.delete(old);
      }
      dropUntilFits(kept.perAccount, (one) => one.accountId === accountId);
      dropUntilFits(kept.inAll, () => true);
    },
  };
}

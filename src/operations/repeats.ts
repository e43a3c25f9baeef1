/** The answers of requests with an Idempotency-Key, in memory. */
import type { Payload } from "../contract/envelope.ts";
import { Problem } from "../contract/problem.ts";
import { createTurns } from "../contract/turns.ts";
import { repeatableMs } from "../control/quota.ts";
import { createWindowCounts } from "../control/window-counts.ts";

export type Repeats = ReturnType<typeof createRepeats>;

/** The requests with a key that an account may send in ten minutes. */
const requestsMax = 10_000;
/** The most characters in memory. A repeat of an answer that is gone computes it again. */
const lettersMax = { ofAccount: 4_000_000, inAll: 64_000_000 };
/** An answer counts as at least this many, which bounds the number of answers too. */
const lettersMin = 20_000;

interface KeptAnswer {
  readonly id: string;
  readonly accountId: string;
  readonly outcome: Payload | Problem;
  /** What `find` was told before the answer was computed. */
  readonly erasures: string;
}

/** Keeps the answers of requests with a key in memory, and lets a repeat wait for the request that runs. */
export function createRepeats(now: () => Date) {
  /** The oldest answer is first. */
  const answers = new Map<string, KeptAnswer & { readonly untilMs: number }>();
  const requests = createWindowCounts(now, repeatableMs / 1000);
  let latestErasures = "";
  return {
    /** @throws Problem `quota_exceeded` if the account sends too many requests with a key. */
    countRequest(accountId: string): void {
      const { count, leftSeconds } = requests.add(accountId, 1);
      if (count <= requestsMax) return;
      const message = `Too many requests with an Idempotency-Key: one account may send ${requestsMax} in ten minutes. Try again in ${leftSeconds} seconds.`;
      throw new Problem("quota_exceeded", { message, retryAfterSeconds: leftSeconds });
    },
    inTurn: createTurns(),
    /** @param erasures what the pool says about its erasures. A new erasure drops every answer. */
    find(id: string, erasures: string): KeptAnswer["outcome"] | undefined {
      if (erasures !== latestErasures) answers.clear();
      latestErasures = erasures;
      const found = answers.get(id);
      return found && found.untilMs > now().getTime() ? found.outcome : undefined;
    },
    keep(answer: KeptAnswer): void {
      if (answer.erasures !== latestErasures) return;
      const nowMs = now().getTime();
      answers.set(answer.id, { ...answer, untilMs: nowMs + repeatableMs });
      let [ofAccount, inAll] = [0, 0];
      for (const { id, accountId, outcome, untilMs } of [...answers.values()].reverse()) {
        const letters = Math.max(lettersMin, outcome instanceof Problem ? 0 : outcome.length);
        const isOwn = accountId === answer.accountId;
        inAll += letters;
        if (isOwn) ofAccount += letters;
        const isTooMuch = inAll > lettersMax.inAll || (isOwn && ofAccount > lettersMax.ofAccount);
        if (isTooMuch || untilMs <= nowMs) answers.delete(id);
      }
    },
  };
}

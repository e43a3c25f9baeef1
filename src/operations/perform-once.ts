/** Calls with an Idempotency-Key: a repeat gets the answer of the first request, and is not counted. */
import type { Caller } from "../contract/caller.ts";
import type { Payload } from "../contract/envelope.ts";
import { limits } from "../contract/limits.ts";
import { createInvalidRequest, Problem } from "../contract/problem.ts";
import type { Modules, Operation } from "./operation.ts";
import { type Answer, perform } from "./perform.ts";

interface KeyedRequest {
  readonly operation: Operation;
  /** Reads the input from the wire. */
  readonly read: () => unknown;
  readonly caller: Caller;
  /** The header Idempotency-Key. */
  readonly key: string;
}

/** Like `perform`, but a request with a key that was counted in the last ten minutes is not counted again. Never throws. */
export async function performOnce(
  { operation, read, caller, key }: KeyedRequest,
  modules: Modules,
): Promise<Answer<Payload>> {
  const { accountId } = caller;
  const { repeats, pool } = modules;
  const show = (found: Payload) => found.write();
  try {
    if (!isCallKey(key)) throw createInvalidRequest(`Idempotency-Key ${keyRule}`);
    repeats.countRequest(accountId);
    const sent = await read();
    const request = digest(JSON.stringify([operation.method, operation.path, sent]));
    const repeatable = { key: digest(key), request };
    const id = [accountId, repeatable.key.toHex(), request.toHex()].join(" ");
    return await repeats.inTurn(id, async () => {
      const receipts = await pool.erasing.receipts();
      const erasures = receipts.map(({ identifiers }) => identifiers).join(" ");
      const known = repeats.find(id, erasures);
      const showAgain = async () => {
        if (known instanceof Problem) throw known;
        return known;
      };
      const asked = known ? { ...operation, run: showAgain } : operation;
      const answer = await perform(asked, sent, caller, modules, show, repeatable);
      const outcome = answer.ok ? answer.shown : answer.problem;
      if (answer.isCounted) repeats.keep({ id, accountId, outcome, erasures });
      return answer;
    });
  } catch (thrown) {
    const refuse = () => Promise.reject(thrown);
    return perform(operation, refuse, caller, modules, show);
  }
}

const keyRule = `must be 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`;

const isCallKey = (key: string) =>
  key.length <= limits.idempotencyKeyLengthMax && /^[\x20-\x7e]+$/.test(key);

const digest = (text: string): Uint8Array => new Bun.CryptoHasher("sha256").update(text).digest();

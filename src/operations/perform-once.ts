/** Calls with an Idempotency-Key: a repeat gets the answer of the first request, and is not counted. */
import type { Caller } from "../contract/caller.ts";
import type { Payload } from "../contract/envelope.ts";
import { limits } from "../contract/limits.ts";
import { Problem, toProblem } from "../contract/problem.ts";
import { createKeyRefusal } from "../control/quota.ts";
import type { Modules, Operation } from "./operation.ts";
import { type Answer, perform } from "./perform.ts";
import type { Outcome } from "./repeats.ts";

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
  request: KeyedRequest,
  modules: Modules,
): Promise<Answer<Payload>> {
  const { operation, caller, key } = request;
  const show = (found: Payload) => found.write();
  if (!isCallKey(key)) {
    const refuse = () => {
      throw new Problem("invalid_request", { message: `Idempotency-Key ${keyRule}` });
    };
    return perform(operation, refuse, caller, modules, show);
  }
  const keyDigest = digest(key);
  const id = `${caller.accountId} ${keyDigest.toHex()}`;
  const { repeats, quota, pool } = modules;
  const leave = await repeats.enter(id);
  try {
    const counted = await quota.findRepeated(caller, keyDigest);
    const receipts = await pool.erasing.receipts();
    const identifiers = receipts.reduce((sum, receipt) => sum + receipt.identifiers, 0);
    const state = `${receipts.length} ${identifiers}`;
    const known = repeats.find(id, state);
    let asked: Uint8Array | undefined;
    const read = async () => {
      const raw = await request.read();
      asked = digest(JSON.stringify([operation.method, operation.path, raw]));
      if (counted && Buffer.compare(asked, counted) !== 0) throw createKeyRefusal();
      return raw;
    };
    if (counted) {
      const run = known ? async () => showAgain(known) : operation.run;
      const free = { isFree: true as const, isUncounted: undefined, countCalls: undefined };
      const answer = await perform({ ...operation, ...free, run }, read, caller, modules, show);
      return { ...answer, isRepeat: true };
    }
    repeats.countNewKey(caller.accountId);
    const charge: typeof quota.charge = (by, parts) =>
      quota.charge(by, {
        ...parts,
        repeatable: asked && { key: keyDigest, request: asked },
      });
    const counting = { ...modules, quota: { ...quota, charge } };
    const answer = await perform(operation, read, caller, counting, show);
    const { accountId } = caller;
    if (answer.isCounted)
      repeats.keep(id, accountId, answer.ok ? answer.shown : answer.problem, state);
    return answer;
  } catch (thrown) {
    return { ok: false, problem: toProblem(thrown), usage: undefined, isCounted: false };
  } finally {
    leave();
  }
}

const keyRule = `must be 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`;

const isCallKey = (key: string) =>
  key.length <= limits.idempotencyKeyLengthMax && /^[\x20-\x7e]+$/.test(key);

const digest = (text: string): Uint8Array => new Bun.CryptoHasher("sha256").update(text).digest();

function showAgain(outcome: Outcome): Payload {
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

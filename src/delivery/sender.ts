/** Sends what is due. One slow target does not hold up the others, because each has its own attempts at once. */
import { startRepeating } from "../contract/start-repeating.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { Delivery, DeliveryOutcome, DeliveryTarget } from "../control/delivery-records.ts";
import { deriveSecret, sendMessage } from "./send-message.ts";

/** @returns why the target has not taken the delivery. @throws Error that says in words why it cannot be sent. */
export type Transport = (delivery: Delivery, signal: AbortSignal) => Promise<string | undefined>;

export interface SenderParts {
  readonly control: Pick<ControlStore, "deliveries" | "signIn">;
  readonly now: () => Date;
  readonly log: { warn(fields: object, text: string): void };
  /** Adds events, before what is due is looked for. */
  readonly tell?: () => Promise<void>;
  /** Finds how the deliveries of a target are sent. By default, they are posted to its address. */
  readonly findTransport?: (target: DeliveryTarget) => Transport | undefined;
  /** Whether webhooks are sent now. By default, they are. */
  readonly isOn?: () => boolean;
  /** For tests. */
  readonly waitsMs?: readonly number[];
}

const lookEveryMs = 1000;
export const timeoutMs = 10_000;
/** The most that a target gets at once. With the most targets, this bounds all of them. */
const atOnce = 4;
/** When another attempt may begin if the process ends. */
const claimMs = 30_000;
const keptMs = 30 * 86_400_000;
const looksPerPruning = 3600;

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** The waits after failed attempts, about three days in all. Then the delivery is dead. */
const growingWaits = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

export function startSender(parts: SenderParts) {
  const { now, log, tell, isOn = () => true } = parts;
  const { deliveries } = parts.control;
  const closing = new AbortController();
  const busy = new Map<string, Promise<void>>();
  const say = (err: unknown) => {
    if (!closing.signal.aborted) log.warn({ err }, "webhooks cannot be told or sent now");
  };
  let looks = 0;
  const look = async () => {
    if (!isOn()) return;
    if (looks++ % looksPerPruning === 0) await deliveries.prune(new Date(now().getTime() - keptMs));
    await tell?.().catch(say);
    for (const target of await deliveries.listTargets()) {
      const isDue = target.dueMs !== null && target.dueMs <= now().getTime();
      if (!isDue || busy.has(target.id) || closing.signal.aborted) continue;
      const work = sendAll(parts, target, closing.signal).catch(say);
      busy.set(
        target.id,
        work.finally(() => busy.delete(target.id)),
      );
    }
  };
  const looking = startRepeating(async () => {
    await look().catch(say);
    return lookEveryMs;
  }, lookEveryMs);
  return {
    /** Breaks attempts off, which are repeated later. */
    async close() {
      closing.abort();
      await looking.close();
      await Promise.all(busy.values());
    },
  };
}

async function sendAll(parts: SenderParts, target: DeliveryTarget, stop: AbortSignal) {
  const { now, waitsMs = growingWaits } = parts;
  const { deliveries, signIn } = parts.control;
  const { id: targetId, url, isLocal } = target;
  const secret = deriveSecret(await signIn.secret(), targetId);
  const post: Transport = ({ id, body }, signal) =>
    sendMessage({ url, isLocal, secret, id, body, at: now(), signal });
  const send = parts.findTransport?.(target) ?? post;
  while (!stop.aborted) {
    const until = new Date(now().getTime() + claimMs);
    const batch = await deliveries.claim(targetId, now(), until, atOnce);
    if (batch.length === 0) return;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
    const sending = batch.map(async (delivery): Promise<DeliveryOutcome[]> => {
      const { id, attempts } = delivery;
      const fault = await send(delivery, signal).catch(describeFailure);
      // What is broken off here is sent again after the claim.
      if (fault && stop.aborted) return [];
      const waitMs = waitsMs[attempts];
      const dueMs = waitMs === undefined ? null : now().getTime() + waitMs;
      return [{ id, attempts: attempts + 1, dueMs, ...(fault && { fault }) }];
    });
    await deliveries.noteOutcomes(targetId, (await Promise.all(sending)).flat());
  }
}

export function describeFailure({ name, code, message }: Error & { code?: string }): string {
  if (name === "TimeoutError") return `it did not answer within ${timeoutMs / 1000} seconds`;
  return code === undefined ? message : `it could not be reached (${code})`;
}

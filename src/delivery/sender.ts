/** Sends what is due. One slow target does not hold up the others, because each has its own attempts at once. */
import type { ControlStore } from "../control/control-store.ts";
import type { Delivery, DeliveryOutcome, DeliveryTarget } from "../control/delivery-records.ts";
import { sendMessage } from "./send-message.ts";
import { createTargetEntry, deriveSecret } from "./targets.ts";

export interface SenderParts {
  readonly control: Pick<ControlStore, "deliveries" | "signIn">;
  readonly now: () => Date;
  readonly log: {
    warn(fields: object, text: string): void;
  };
  /** For tests. */
  readonly ca?: string;
  readonly waitsMs?: readonly number[];
}

const lookEveryMs = 1000;
const timeoutMs = 10_000;
/** The most that a target gets at once. With the most targets, this bounds all of them. */
const atOnce = 4;
const batchMax = 20;
/** When another attempt may begin if the process ends. A batch of slow answers takes less. */
const claimMs = 120_000;
const keptMs = 30 * 86_400_000;
const pruneEveryMs = 3_600_000;

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** The waits after failed attempts, about three days in all. Then the delivery is dead. */
const growingWaits = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

export function startSender(parts: SenderParts) {
  const { control, now, log } = parts;
  const closing = new AbortController();
  const busy = new Map<string, Promise<void>>();
  let prunedMs = Number.NEGATIVE_INFINITY;
  let timer: Timer | undefined;
  const say = (error: unknown) => {
    if (!closing.signal.aborted) log.warn({ err: error }, "webhooks cannot be sent now");
  };
  const look = async () => {
    if (Math.abs(performance.now() - prunedMs) >= pruneEveryMs) {
      await control.deliveries.prune(new Date(now().getTime() - keptMs));
      prunedMs = performance.now();
    }
    for (const target of await control.deliveries.listDue(now())) {
      if (busy.has(target.id) || closing.signal.aborted) continue;
      const work = sendAll(parts, target, closing.signal).catch(say);
      busy.set(
        target.id,
        work.finally(() => busy.delete(target.id)),
      );
    }
  };
  const lookIn = (milliseconds: number) => {
    if (closing.signal.aborted) return;
    timer = setTimeout(
      () =>
        look()
          .catch(say)
          .finally(() => lookIn(lookEveryMs)),
      milliseconds,
    );
    timer.unref();
  };
  lookIn(0);
  return {
    /** Breaks attempts off, which are repeated later. */
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(busy.values());
    },
  };
}

async function sendAll(parts: SenderParts, target: DeliveryTarget, stop: AbortSignal) {
  const { control, now } = parts;
  const { id } = target;
  const secret = deriveSecret(await control.signIn.secret(), id);
  while (!stop.aborted) {
    const until = new Date(now().getTime() + claimMs);
    const batch = await control.deliveries.claim(id, now(), until, batchMax);
    if (batch.length === 0) return;
    const open = [...batch];
    const outcomes: DeliveryOutcome[] = [];
    let isGone = false;
    const work = async () => {
      for (let one = open.shift(); one; one = open.shift()) {
        const { isGone: saysGone, ...outcome } = await send(parts, { target, secret, stop }, one);
        outcomes.push(outcome);
        isGone ||= saysGone;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await control.deliveries.noteOutcomes(id, outcomes, now());
    if (!isGone) continue;
    const by = createTargetEntry("webhook.off", target, { at: now(), actor: "server" });
    return control.deliveries.turn(id, "gone", by);
  }
}

interface Sending {
  readonly target: DeliveryTarget;
  readonly secret: string;
  readonly stop: AbortSignal;
}

async function send(
  { now, ca, waitsMs = growingWaits }: SenderParts,
  { target, secret, stop }: Sending,
  { id, body, attempts }: Delivery,
): Promise<DeliveryOutcome & { readonly isGone: boolean }> {
  if (stop.aborted) return { id, isBrokenOff: true, isGone: false };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  const { url, isLocal } = target;
  const posting = { url, isLocal, secret, id, body, at: now(), signal };
  const fault = await sendMessage({ ...posting, ...(ca !== undefined && { ca }) }).then(
    (status) => (status >= 200 && status < 300 ? undefined : `it answered ${status}`),
    (error: Error & { code?: string }) => describeFailure(error),
  );
  if (fault !== undefined && stop.aborted) return { id, isBrokenOff: true, isGone: false };
  const isGone = fault === "it answered 410";
  const waitMs = isGone ? undefined : waitsMs[attempts];
  const againAt = waitMs === undefined ? undefined : new Date(now().getTime() + waitMs);
  return { id, isGone, ...(fault !== undefined && { fault, ...(againAt && { againAt }) }) };
}

function describeFailure({ name, code, message }: Error & { code?: string }): string {
  if (name === "TimeoutError") return `it did not answer within ${timeoutMs / 1000} seconds`;
  return code === undefined ? message : `it could not be reached (${code})`;
}

/** Sends webhooks from a running server, and tells them how people have changed. */
import type { Config } from "../config/config.ts";
import type { ControlStore } from "../control/control-store.ts";
import { erasedEvent } from "../control/delivery-records.ts";
import { startSender } from "../delivery/delivery.ts";
import type { Pool } from "../pool/pool.ts";
import { type DataFolder, type Dependencies, inMemory } from "./data-folder.ts";

interface WebhookParts {
  readonly config: Config;
  readonly dependencies: Dependencies;
  /** Undefined for a server that opens no port. It sends nothing. */
  readonly listener: object | undefined;
}

const lookEveryMs = 2000;

export function openWebhooks(
  { control, modules }: Pick<DataFolder, "control" | "modules">,
  { config, dependencies: { now, log }, listener }: WebhookParts,
) {
  if (!listener || config.data === inMemory || !config.webhooks.send) return undefined;
  const sender = startSender({ control, now, log });
  const tell = createTeller({ control, pool: modules.pool, now });
  let telling: Promise<void> | undefined;
  const timer = setInterval(() => {
    telling ??= tell()
      .catch((err) => log.warn({ err }, "webhooks cannot be told now how people have changed"))
      .finally(() => {
        telling = undefined;
      });
  }, lookEveryMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await Promise.all([sender.close(), telling]);
    },
  };
}

interface TellerParts {
  readonly control: Pick<ControlStore, "deliveries">;
  readonly pool: Pick<Pool, "changes" | "revision">;
  readonly now: () => Date;
}

/**
 * Creates a function that compares the people with what each webhook was told. So it finds the changes of every command and node,
 * and those before a crash.
 */
export function createTeller({ control, pool, now }: TellerParts) {
  const { deliveries } = control;
  let seen = "";
  return async (): Promise<void> => {
    const wanting = (await deliveries.listTargets()).filter(
      ({ off, events }) => off === undefined && events.some((type) => told.includes(type)),
    );
    const revision = await pool.revision();
    const state = `${revision} ${wanting.map(({ id }) => id)}`;
    if (state === seen || wanting.length === 0) return;
    for (const [since, targets] of Map.groupBy(wanting, (target) => target.told)) {
      const { next, counts, erased, startAnew } = await countChanges(pool, since);
      const isChange = startAnew !== undefined || Object.values(counts).some((n) => n > 0);
      const data = { revision, ...counts, ...(startAnew && { startAnew }) };
      const all = [
        ...(isChange ? [{ type: peopleEvent, at: now(), data }] : []),
        ...erased.map((login) => ({ type: erasedEvent, at: now(), data: { login } })),
      ];
      for (const target of next === since ? [] : targets) {
        // A new webhook is not told what was there before it.
        const events = all.filter(
          ({ type }) => since !== undefined && target.events.includes(type),
        );
        await deliveries.tell(target, next, events);
      }
    }
    seen = state;
  };
}

const peopleEvent = "people.changed";
const told: readonly string[] = [peopleEvent, erasedEvent];
const limit = 1000;

/** Counts what changed. If that is not known, because the pool is an older copy, only the new beginning is found. */
async function countChanges(pool: TellerParts["pool"], told: string | undefined) {
  let since = told;
  let startAnew: string | undefined;
  let counts = { new: 0, changed: 0, renamed: 0, removed: 0, erased: 0 };
  const erased: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const listed = await pool.changes.list({ since, limit, canSeeErased: true });
    if (listed.startAnew) {
      startAnew = listed.startAnew;
      since = undefined;
      continue;
    }
    for (const { change, login } of listed.changes) {
      counts[change]++;
      if (change === "erased") erased.push(login);
    }
    since = listed.next;
    hasMore = listed.hasMore;
    await Bun.sleep(0);
  }
  if (startAnew) counts = { new: 0, changed: 0, renamed: 0, removed: 0, erased: 0 };
  return { next: since ?? "", counts, erased, startAnew };
}

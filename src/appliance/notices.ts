/** Tells operators what lasts: each receiver once when it has begun, and once when it is over. */
import type { OperatorNotice } from "../contract/operator-notice.ts";
import { listStale } from "../contract/people/history-end.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import { type NewEvent, namedPrefix } from "../control/delivery-records.ts";
import type { Runs } from "../interfaces/web/web.ts";
import type { ServerDependencies } from "./data-folder.ts";
import { listNotices, type NoticeParts } from "./monitoring/concerns.ts";
import { measureFolder } from "./monitoring/server-state.ts";
import { findReader } from "./sources/source-book.ts";

interface LookParts
  extends Pick<NoticeParts, "folder" | "config" | "readiness">,
    Pick<ServerDependencies, "now" | "log" | "live"> {
  readonly sources: { readonly list: NoticeParts["listSources"] };
  readonly administration: { readonly runs: Pick<Runs, "listEnded"> };
  readonly backups: { fault(): string | undefined } | undefined;
}

/** `machine` is the node that it concerns. Empty means all nodes, or that there are none. */
interface ToldNotice extends OperatorNotice {
  readonly machine: string;
  readonly since: Date;
}

const lookEveryMs = 15_000;

export function startNotices(parts: LookParts) {
  const look = createNoticeLook(parts);
  return startRepeating(async (stop) => {
    const say = (err: unknown) => parts.log.warn({ err }, "notices cannot be noted now");
    await look().catch((err) => stop.aborted || say(err));
    return lookEveryMs;
  }, 0);
}

/** The kinds that all nodes see alike. */
const sharedKinds: readonly string[] = ["run", "delivery", "backup"];

/** @package Creates a look. It tells what it and the look before have found, and what neither of them has found any more. */
export function createNoticeLook(parts: LookParts) {
  const { folder, config, now, live } = parts;
  const { deliveries } = folder.control;
  const machine = findReader(config);
  let named: unknown;
  let before: ReadonlyMap<string, ToldNotice> | undefined;
  const find = async (at: Date) => {
    const repositories = await folder.modules.pool.authorship.repositories();
    const notices = await listNotices({
      ...{ ...parts, now: at, config: { ...config, backup: live().backup } },
      stale: listStale(repositories, at.toISOString().slice(0, 10)),
      endedRuns: await parts.administration.runs.listEnded(),
      ...{ listSources: parts.sources.list, backupFault: parts.backups?.fault() },
      state: await measureFolder(folder, parts.readiness),
    });
    const found = new Map<string, ToldNotice>();
    for (const one of notices) {
      const of = sharedKinds.includes(one.kind) ? "" : machine;
      const text = of ? `${one.text} (on ${of})` : one.text;
      const told = { ...one, text, since: at, machine: of };
      const key = toKey(told);
      found.set(key, found.get(key) ?? before?.get(key) ?? told);
    }
    return found;
  };
  return async (): Promise<void> => {
    const { notify, webhooks } = live();
    if (!webhooks.send) return;
    if (named !== notify) await deliveries.putNamed(notify.map(toTarget));
    named = notify;
    const targets = await deliveries.listTargets();
    if (!targets.some(({ events }) => events.some((type) => type.startsWith(prefix)))) return;
    const at = now();
    const [earlier, found] = [before, await find(at)];
    before = found;
    // With damage, it is not known whether anything else is over.
    const isDamaged = [...found.values()].some(({ kind }) => kind === "damage");
    const isOver = (one: ToldNotice) =>
      earlier &&
      ![earlier, found].some((look) => look.has(toKey(one))) &&
      ["", machine].includes(one.machine) &&
      (one.kind === "damage" || !isDamaged);
    for (const target of targets) {
      const known: readonly ToldNotice[] = JSON.parse(target.notices);
      const told = new Set(known.map(toKey));
      const begun = [...found].flatMap(([key, one]) =>
        // A receiver that takes nothing is not told so itself.
        earlier?.has(key) &&
        !told.has(key) &&
        one.subject !== target.id &&
        target.events.includes(prefix + one.kind)
          ? [one]
          : [],
      );
      const over = known.filter(isOver);
      if (begun.length + over.length === 0) continue;
      const notices = [...known.filter((one) => !over.includes(one)), ...begun];
      const events = [...toEvents("begun", begun, at), ...toEvents("over", over, at)];
      await deliveries.tell(target, { notices: JSON.stringify(notices) }, events);
    }
  };
}

const prefix = "notice.";

const toKey = ({ machine, kind, subject }: ToldNotice) => [machine, kind, subject].join("\n");

const toTarget = ({ id, events }: { readonly id: string; readonly events: readonly string[] }) => ({
  id: namedPrefix + id,
  events: events.map((kind) => prefix + kind),
});

/** Makes one event of all that is of one kind, so that many are one message. */
const toEvents = (state: string, all: readonly ToldNotice[], at: Date): readonly NewEvent[] =>
  [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, some]) => {
    const notices = some.map(({ subject, text, since }) => ({ subject, text, since }));
    return { type: prefix + kind, at, data: { state, notices } };
  });

/** Sends webhooks, mail and notices from a running server, and tells webhooks how people have changed. */
import { type Config, readMailAccess } from "../config/config.ts";
import type { NewStart } from "../contract/changes.ts";
import type { ControlStore } from "../control/control-store.ts";
import {
  type DeliveryTarget,
  erasedEvent,
  namedPrefix,
  searchMailTarget,
} from "../control/delivery-records.ts";
import {
  createReceiverTransport,
  type SearchMail,
  sendMail,
  startSender,
  type Transport,
} from "../delivery/delivery.ts";
import type { Pool } from "../pool/pool.ts";
import { type DataFolder, inMemory, type ServerDependencies } from "./data-folder.ts";
import { startNotices } from "./notices.ts";

export function openWebhooks(
  folder: DataFolder,
  of: { config: Config; dependencies: ServerDependencies; listener: object | undefined },
  known: { readonly searchMail: SearchMail; readonly publicUrl: () => string } & Omit<
    Parameters<typeof startNotices>[0],
    "folder" | "config" | "now" | "log" | "live"
  >,
) {
  const { control, modules } = folder;
  const { now, log, live } = of.dependencies;
  // A server that opens no port sends nothing.
  if (!of.listener || of.config.data === inMemory) return undefined;
  const tell = createTeller({ control, pool: modules.pool, now });
  const sendNews: Transport = async ({ id, body, createdMs }, signal) => {
    const access = readMail();
    if (!access) return "mail is not set up";
    const mail = await known.searchMail.write(body);
    const fault = mail && (await sendMail(access, { ...mail, id: `${id}.${createdMs}` }, signal));
    // A mailbox that is not there concerns no operator.
    return fault && /[ -]5\.1\.[12]\)/.test(fault) ? undefined : fault;
  };
  const readMail = () => readMailAccess(live());
  const { userEnvironment: environment } = of.config;
  const receiving = { control, now, readMail, environment, publicUrl: known.publicUrl };
  const findTransport = ({ id }: DeliveryTarget) => {
    const receiver = live().notify.find((one) => namedPrefix + one.id === id);
    if (receiver) return createReceiverTransport(receiver, receiving);
    return id === searchMailTarget ? sendNews : undefined;
  };
  const isOn = () => live().webhooks.send;
  const sender = startSender({ control, now, log, tell, findTransport, isOn });
  const notices = startNotices({ ...known, folder, config: of.config, now, log, live });
  return {
    lookAgain: notices.hurry,
    close: async () => void (await Promise.all([sender.close(), notices.close()])),
  };
}

interface TellerParts {
  readonly control: Pick<ControlStore, "deliveries">;
  readonly pool: Pick<Pool, "changes" | "revision">;
  readonly now: () => Date;
}

const peopleEvent = "people.changed";

/**
 * Creates a function that compares the people with what each webhook was told. So it finds the changes of every command and node,
 * and those before a crash.
 */
export function createTeller({ control: { deliveries }, pool, now }: TellerParts) {
  let seen = "";
  return async (): Promise<void> => {
    const wanting = (await deliveries.listTargets()).filter(
      ({ events }) => events.includes(peopleEvent) || events.includes(erasedEvent),
    );
    const revision = await pool.revision();
    const state = `${revision} ${wanting.map(({ id }) => id)}`;
    if (state === seen) return;
    for (const target of wanting) {
      const { next, counts, erased } = await countChanges(pool, target.told || undefined);
      const all = [
        { type: peopleEvent, at: now(), data: { revision, ...counts } },
        ...erased.map((login) => ({ type: erasedEvent, at: now(), data: { login } })),
      ];
      // A new webhook is not told what was there before it.
      const isTold = target.told !== "" && Object.values(counts).some((one) => one !== 0);
      const events = isTold ? all.filter(({ type }) => target.events.includes(type)) : [];
      if (next !== target.told) await deliveries.tell(target, { told: next }, events);
    }
    seen = state;
  };
}

/** Counts what changed. If that is not known, because the pool is an older copy, only the new beginning is found. */
async function countChanges(pool: TellerParts["pool"], told: string | undefined) {
  const counts = { new: 0, changed: 0, renamed: 0, removed: 0, erased: 0 };
  const erased: string[] = [];
  let since = told;
  let startAnew: NewStart | undefined;
  for (let hasMore = true; hasMore; await Bun.sleep(0)) {
    const listed = await pool.changes.list({ since, limit: 1000, canSeeErased: true });
    startAnew ??= listed.startAnew;
    for (const { change, login } of listed.changes) {
      counts[change]++;
      if (change === "erased") erased.push(login);
    }
    since = listed.next;
    hasMore = listed.hasMore || listed.startAnew !== undefined;
  }
  return { next: since ?? "", counts: startAnew ? { startAnew } : counts, erased };
}

/** A pool to which everything happens, drawn by a seed, and copies of it that follow by its changes alone. */
import { createRandom } from "../random.ts";
import { FollowedCopy } from "./followed-copy.ts";
import { type Person, person } from "./person.ts";
import type { OpenPool } from "./pool-contract.ts";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const logins = ["ada", "Ben", "cid", "Dan-x", "eve", "fay", "gus", "hal"] as const;
const sources = ["git", "demo"] as const;

/** What is done with files. A pool in a database cannot be killed or restored this way. */
export interface PoolFiles {
  /** Puts the files as a crash would leave them now in the place of the pool's. The pool must be closed before `settle`. */
  freeze(): { settle(): void };
  backUp(): void;
  /** @returns false if there is no backup. */
  restore(): boolean;
}

export interface Followed {
  readonly starts: number;
  readonly told: readonly string[];
}

/** Plays one history. After each step, the copies that follow at once equal a fresh export. */
export async function playHistory(
  seed: number,
  {
    open,
    place,
    files,
    steps,
  }: { open: OpenPool; place: string; files?: PoolFiles; steps: number },
): Promise<Followed> {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  let nowMs = Date.parse("2026-11-21T12:00:00Z");
  const now = () => new Date(nowMs++);
  let pool = await open(place, { now });
  let bios = 0;
  const told: string[] = [];
  const receipts: string[] = [];
  const eager = [new FollowedCopy(true, true), new FollowedCopy(false, true)];
  const lazy = [new FollowedCopy(true, false), new FollowedCopy(false, false)];

  const draw = (login: string = pick(logins), more: Partial<Person> = {}): Person => ({
    ...{ login, source: pick(sources), emails: [`${login.toLowerCase()}@example.com`] },
    ...(below(2) === 0 && { bio: `Bio ${++bios}.` }),
    ...more,
  });
  const bring = async (people: readonly Person[], gone: readonly string[] = []) => {
    const load = await pool.beginImport("test");
    if (below(2) === 0) await load.remove(gone);
    await load.put(people.map(person));
    const brought = people.map(({ login }) => login.toLowerCase());
    await load.remove(gone.filter((login) => !brought.includes(login.toLowerCase())));
    if (below(8) === 0) await load.removeSource(pick(sources));
    return load;
  };
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    import: async () => (await bring(Array.from({ length: 1 + below(5) }, () => draw()))).commit(),
    again: async () => {
      // A run that finds everything as it was publishes without a change.
      const load = await pool.beginImport("test");
      const facts = await pool.findFacts(await pool.logins());
      for (const one of facts)
        if (one) await load.confirm([{ login: one.login, text: JSON.stringify(one) }], "");
      await load.commit();
    },
    remove: async () => (await bring([], [pick(logins), pick(logins)])).commit(),
    merge: async () => {
      const [stays, goes] = [pick(logins), pick(logins)];
      if (stays === goes) return;
      await (await bring([draw(stays, { formerLogins: [goes] })], [goes])).commit();
    },
    rename: async () => {
      const [old, login] = [pick(logins), `${pick(logins)}-${below(3)}`];
      await (await bring([draw(login, { formerLogins: [old] })], [old])).commit();
    },
    abort: async () => (await bring([draw(), draw()], [pick(logins)])).abort(),
    forget: async () => note(await pool.erasing.hide(pick(await pool.logins()) ?? "nobody")),
    "forget gone": async () =>
      note(await pool.erasing.hide(pick(logins), { evenIfUnknown: below(2) === 0 })),
    "forget meanwhile": async () => {
      const load = await bring([draw(), draw()], [pick(logins)]);
      note(await pool.erasing.hide(pick(logins)));
      await load.commit();
    },
    undo: async () => receipts.length > 0 && pool.erasing.undo(pick(receipts)),
    extend: async () => {
      const known = pick(logins).toLowerCase();
      await pool.erasing.extend([[`login:${known}`, `login:${pick(logins).toLowerCase()}`]]);
    },
    wait: async () => {
      nowMs += pick([11 * minuteMs, 5 * dayMs, 31 * dayMs, 91 * dayMs]);
      await pool.changes.prune(90);
      while (await pool.reclaim());
    },
    ...(files && {
      kill: async () => {
        await bring([draw(), draw(), draw()], [pick(logins)]);
        const { settle } = files.freeze();
        await pool.close();
        settle();
        pool = await open(place, { now });
      },
      "back up": async () => files.backUp(),
      restore: async () => {
        const list = await pool.erasing.suppressionList();
        await pool.close();
        files.restore();
        pool = await open(place, { now });
        // Without this it is a restore as archived.
        if (below(3) > 0) await pool.erasing.adopt(list);
      },
    }),
  };
  const note = (receipt: unknown) => {
    if (typeof receipt === "object" && receipt) receipts.push((receipt as { id: string }).id);
  };
  const kinds = [...Object.keys(acts), "import", "import", "import", "merge", "rename", "forget"];

  for (let step = 0; step < steps; step++) {
    const kind = pick(kinds);
    told.push(kind);
    nowMs += 1000;
    await acts[kind]?.();
    for (const copy of eager) {
      await copy.readAll(pool, 1 + below(4));
      await copy.expectWhole(pool, [seed, ...told]);
    }
    // These read a page at times, and are complete rarely.
    for (const copy of lazy) {
      if (below(3) > 0 || (await copy.readPage(pool, 1 + below(2)))) continue;
      await copy.expectWhole(pool, [seed, ...told]);
    }
  }
  await pool.close();
  return { starts: [...eager, ...lazy].reduce((sum, { starts }) => sum + starts, 0), told };
}

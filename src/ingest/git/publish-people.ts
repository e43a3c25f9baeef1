/** Stage 7, publish: judges people whose facts changed, adds them to the pool, and removes those git no longer knows. */
import type { Facts } from "../../contract/people/facts.ts";
import type { ImportCounts, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { readRemovalsMax } from "../removal-limit.ts";
import { gitSource } from "./assemble-facts.ts";
import { carryOverFacts, removeGitFacts } from "./carry-over.ts";
import type { Ledger } from "./ledger/ledger.ts";

export type IngestCounts = ImportCounts & {
  /** Demo developers among `removed`. */
  readonly demoRemoved: number;
  /** Among `removed`, those whose login is a former login of somebody now: they became one with another. */
  readonly joined: number;
};

interface PublishOptions {
  readonly pool: Pick<Pool, "beginImport" | "findFacts" | "sources" | "size">;
  readonly ledger: Pick<Ledger, "brought" | "willBring">;
  readonly judge: Judge;
  readonly signal?: AbortSignal | undefined;
  /** Whether unchanged facts need not be judged again. */
  readonly isJudged: boolean;
  readonly shouldRemoveDemo: boolean;
  /** Whether it may remove more people than `readRemovalsMax` says. */
  readonly canRemoveMany?: boolean | undefined;
  /** Called when nothing but the commit is left. */
  readonly beforeCommit?: (() => unknown) | undefined;
}

/** Developers per transaction, small enough not to delay a server on the same pool. */
const batchSize = 100;

/**
 * @returns the counts of the import, and the removed logins in lower case.
 * @throws Fault while another import runs; the signal's reason when it is aborted. The pool is then unchanged.
 */
export async function publishPeople(
  people: Iterable<Facts>,
  options: PublishOptions,
): Promise<IngestCounts & { readonly gone: readonly string[] }> {
  const { pool, ledger, judge, signal, isJudged, shouldRemoveDemo } = options;
  const staged = await pool.beginImport("git");
  try {
    const present = new Set<string>();
    const former = new Set<string>();
    const brought = ledger.brought();
    const unchanged: string[] = [];
    const stage = async (changed: readonly Facts[]): Promise<void> => {
      if (changed.length === 0) return;
      ledger.willBring(changed.map(({ login }) => login.toLowerCase()));
      await staged.put(changed.map((facts) => judge(facts)));
      // Yields to the event loop, which delivers signals.
      await Bun.sleep(0);
      signal?.throwIfAborted();
    };
    for (const batch of inBatches(people)) {
      const stored = await pool.findFacts(batch.map(({ login }) => login));
      const givenUp = await findGivenUp(pool, batch, brought);
      const changed: Facts[] = [];
      for (const [at, person] of batch.entries()) {
        const login = person.login.toLowerCase();
        present.add(login);
        for (const name of person.formerLogins ?? []) former.add(name.toLowerCase());
        // The login's own row comes last, because it knows better than those that become one with it.
        const earlier = [...(givenUp.get(person) ?? []), stored[at]];
        const facts = earlier.reduce(carryOverFacts, person);
        const isSame = isJudged && JSON.stringify(stored[at]) === JSON.stringify(facts);
        if (isSame) unchanged.push(login);
        else changed.push(facts);
      }
      await stage(changed);
    }
    // A recreated ledger does not know yet which developers the pool has from git.
    ledger.willBring(unchanged.filter((login) => !brought.has(login)));
    const gone = [...brought].filter((login) => !present.has(login));
    for (const logins of inBatches(gone)) {
      // What other sources say of a login that was given up has been carried over.
      const rests = (await pool.findFacts(logins)).map((facts, at) =>
        former.has(logins[at] ?? "") ? undefined : removeGitFacts(facts),
      );
      await stage(rests.filter((rest) => rest !== undefined));
      await staged.remove(logins.filter((_, at) => rests[at] === undefined));
    }
    if (shouldRemoveDemo) await staged.removeSource("demo");
    const demo = (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0;
    if (!options.canRemoveMany) await staged.limitRemovals(await readRemovalsMax(pool));
    options.beforeCommit?.();
    const counts = await staged.commit();
    const demoRemoved = shouldRemoveDemo ? demo : 0;
    const joined = gone.filter((login) => former.has(login)).length;
    return { ...counts, demoRemoved, joined, unchanged: counts.unchanged + unchanged.length, gone };
  } finally {
    await staged.abort();
  }
}

/** The stored facts of logins that git had brought and that are former logins now, by the person who has them. */
async function findGivenUp(
  pool: Pick<Pool, "findFacts">,
  people: readonly Facts[],
  brought: ReadonlySet<string>,
): Promise<ReadonlyMap<Facts, readonly (Facts | undefined)[]>> {
  const wanted = people.map(
    (person) =>
      [
        person,
        (person.formerLogins ?? []).filter((login) => brought.has(login.toLowerCase())),
      ] as const,
  );
  const found = new Map<Facts, readonly (Facts | undefined)[]>();
  for (const [person, logins] of wanted) {
    if (logins.length > 0) found.set(person, await pool.findFacts(logins));
  }
  return found;
}

function* inBatches<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Changes with every git import by any process, so that a restored or emptied pool is noticed. */
export async function readPoolMark(pool: Pick<Pool, "sources">): Promise<string> {
  const git = (await pool.sources()).find(({ source }) => source === gitSource);
  return git ? `${git.lastImportAt} ${git.developers}` : "";
}

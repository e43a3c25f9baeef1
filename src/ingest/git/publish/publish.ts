/** The stage publish: adds judged people to the pool, and removes people who are no longer in git. */
import type { Facts } from "../../../contract/people/facts.ts";
import { splitBatches } from "../../../contract/split-batches.ts";
import type { ImportCounts, ImportLock, Pool } from "../../../pool/pool.ts";
import type { Judge } from "../../judge.ts";
import { judgeOthers } from "../../judge-others.ts";
import { readRemovalsMax } from "../../removal-limit.ts";
import { noteBrought, readBrought } from "../ledger/applied.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { createFactsMerger } from "./merge-stored-facts.ts";

export type IngestCounts = ImportCounts & {
  readonly demoRemoved: number;
  /** How many of the removed people were joined with another person. */
  readonly joined: number;
};

export interface PublishOptions {
  readonly pool: Pick<Pool, "findFacts" | "findAnalyses" | "sources" | "size">;
  readonly lock: Pick<ImportLock, "beginImport">;
  readonly ledger: Ledger;
  readonly judge: Judge;
  readonly signal?: AbortSignal | undefined;
  /** Whether people with unchanged facts are already judged. */
  readonly isJudged: boolean;
  /** Logins of all people in git, in lower case. */
  readonly current: ReadonlySet<string>;
  readonly shouldRemoveDemo: boolean;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Whether the run may remove more people than `readRemovalsMax` allows. */
  readonly canRemoveMany?: boolean | undefined;
  /** Called just before the pool's transaction commits. */
  readonly beforeCommit?: (() => unknown) | undefined;
}

const batchSize = 100;

/**
 * @param people the people whose facts may have changed. The function is called again to match supplements with people.
 * @throws Fault when the disk is full. @throws the signal's reason when the signal is aborted. The pool is then unchanged.
 */
export async function publishPeople(people: () => Iterable<Facts>, options: PublishOptions) {
  const { pool, lock, ledger, judge, signal, isJudged, current, shouldRemoveDemo } = options;
  const staged = await lock.beginImport("git");
  try {
    const former = new Set<string>();
    const brought = readBrought(ledger);
    const unchanged = new Set<string>();
    const merger = createFactsMerger();
    const stage = async (changed: readonly Facts[]): Promise<void> => {
      if (changed.length === 0) return;
      const logins = changed.map(({ login }) => login.toLowerCase());
      noteBrought(ledger, logins);
      await staged.put(changed.map(judge), judge.basis);
      // Yields to the event loop, which delivers signals.
      await Bun.sleep(0);
      signal?.throwIfAborted();
    };
    let done = 0;
    for (const batch of splitBatches(people(), batchSize)) {
      const changed: Facts[] = [];
      for (const { before, facts } of await mergeBatch(pool, brought, merger, batch)) {
        const login = facts.login.toLowerCase();
        for (const name of facts.formerLogins ?? []) former.add(name.toLowerCase());
        const isSame = isJudged && JSON.stringify(before) === JSON.stringify(facts);
        if (isSame) unchanged.add(login);
        else changed.push(facts);
      }
      await stage(changed);
      done += batch.length;
      options.onProgress?.(done);
    }
    // Notes unchanged developers, because a recreated ledger does not know them yet.
    const unknown = [...unchanged].filter((login) => !brought.has(login));
    noteBrought(ledger, unknown);
    const gone = [...brought.keys()].filter((login) => !current.has(login));
    for (const logins of splitBatches(gone, batchSize)) {
      // The facts of a former login were merged into the person's new facts.
      const rests = (await pool.findFacts(logins)).map((facts, at) =>
        former.has(logins[at] ?? "") ? undefined : merger.removeGit(facts),
      );
      await stage(rests.filter((rest) => rest !== undefined));
      await staged.remove(logins.filter((_, at) => rests[at] === undefined));
    }
    for (const batch of splitBatches(merger.matchUnclaimed(people), batchSize)) {
      for (const [{ login }] of batch) unchanged.delete(login.toLowerCase());
      const some = batch.map(([person]) => person);
      const merged = await mergeBatch(pool, brought, merger, some);
      await stage(
        merged.map(({ facts }, at) => merger.addSupplements(facts, batch[at]?.[1] ?? [])),
      );
    }
    if (shouldRemoveDemo) await staged.removeSource("demo");
    await judgeOthers(staged, pool, judge, signal);
    const demo = (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0;
    if (!options.canRemoveMany) await staged.limitRemovals(await readRemovalsMax(pool));
    options.beforeCommit?.();
    const counts = await staged.commit();
    const demoRemoved = shouldRemoveDemo ? demo : 0;
    const joined = gone.filter((login) => former.has(login)).length;
    return { ...counts, demoRemoved, joined, unchanged: counts.unchanged + unchanged.size, gone };
  } finally {
    await staged.abort();
  }
}

/** @returns for each person the merged facts, and the facts that the pool has. */
async function mergeBatch(
  pool: Pick<Pool, "findFacts">,
  brought: ReadonlyMap<string, unknown>,
  merger: ReturnType<typeof createFactsMerger>,
  batch: readonly Facts[],
) {
  const stored = await pool.findFacts(batch.map(({ login }) => login));
  const merged = [];
  for (const [at, person] of batch.entries()) {
    const before = stored[at];
    // Considers only rows from git. A row from another source with this login may be a different person.
    const givenUp = (person.formerLogins ?? []).filter((one) => brought.has(one.toLowerCase()));
    const earlier = givenUp.length > 0 ? await pool.findFacts(givenUp) : [];
    merged.push({ before, facts: merger.merge(person, [...earlier, before]) });
  }
  return merged;
}

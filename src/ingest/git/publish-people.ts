/** Stage 7, publish: judges people whose facts changed, adds them to the pool, and removes those git no longer knows. */
import type { Facts } from "../../contract/people/facts.ts";
import type { ImportCounts, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { gitSource } from "./assemble-facts.ts";
import { carryOverFacts, removeGitFacts } from "./carry-over.ts";
import type { Ledger } from "./ledger/ledger.ts";

export type IngestCounts = ImportCounts & {
  /** Demo developers among `removed`. */
  readonly demoRemoved: number;
};

interface PublishOptions {
  readonly pool: Pick<Pool, "beginImport" | "findFacts" | "sources">;
  readonly ledger: Pick<Ledger, "brought" | "willBring">;
  readonly judge: Judge;
  readonly signal?: AbortSignal | undefined;
  /** Whether unchanged facts need not be judged again. */
  readonly isJudged: boolean;
  readonly demoLeaves: boolean;
}

/** Developers per transaction, small enough not to delay a server on the same pool. */
const batchSize = 100;

/**
 * @returns the counts of the import, and the removed logins in lower case.
 * @throws Fault while another import runs; the signal's reason when it is aborted. The pool is then unchanged.
 */
export async function publishPeople(
  people: Iterable<Facts>,
  { pool, ledger, judge, signal, isJudged, demoLeaves }: PublishOptions,
): Promise<IngestCounts & { readonly gone: readonly string[] }> {
  const staged = await pool.beginImport("git");
  try {
    const present = new Set<string>();
    const brought = ledger.brought();
    const unchanged: string[] = [];
    let batch: ReturnType<Judge>[] = [];
    const flush = async (): Promise<void> => {
      ledger.willBring(batch.map(({ facts }) => facts.login.toLowerCase()));
      await staged.put(batch);
      batch = [];
      // Yields to the event loop, which delivers signals.
      await Bun.sleep(0);
      signal?.throwIfAborted();
    };
    const stage = async (facts: Facts): Promise<void> => {
      batch.push(judge(facts));
      if (batch.length >= batchSize) await flush();
    };
    for (const person of people) {
      const login = person.login.toLowerCase();
      present.add(login);
      const [stored] = await pool.findFacts([person.login]);
      const facts = carryOverFacts(person, stored);
      if (isJudged && stored && JSON.stringify(stored) === JSON.stringify(facts))
        unchanged.push(login);
      else await stage(facts);
    }
    // A recreated ledger does not know yet which developers the pool has from git.
    ledger.willBring(unchanged.filter((login) => !brought.has(login)));
    const gone = [...brought].filter((login) => !present.has(login));
    for (const login of gone) {
      const [stored] = await pool.findFacts([login]);
      const rest = removeGitFacts(stored);
      if (rest) await stage(rest);
      else await staged.remove([login]);
    }
    await flush();
    if (demoLeaves) await staged.removeSource("demo");
    const demo = (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0;
    const counts = await staged.commit();
    const demoRemoved = demoLeaves ? demo : 0;
    return { ...counts, demoRemoved, unchanged: counts.unchanged + unchanged.length, gone };
  } finally {
    await staged.abort();
  }
}

/** Changes with every git import by any process, so that a restored or emptied pool is noticed. */
export async function readPoolMark(pool: Pick<Pool, "sources">): Promise<string> {
  const git = (await pool.sources()).find(({ source }) => source === gitSource);
  return git ? `${git.lastImportAt} ${git.developers}` : "";
}

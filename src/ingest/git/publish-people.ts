/** Stage 7, publish: judges people whose facts changed, puts them into the pool, and removes those git no longer knows. */
import type { Facts } from "../../contract/people/facts.ts";
import type { ImportCounts, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { gitSource } from "./assemble-facts.ts";
import { carryOverFacts, removeGitFacts } from "./carry-over.ts";
import type { Ledger } from "./ledger/ledger.ts";

export type IngestCounts = ImportCounts & {
  /** Of those removed, the demo people. */
  readonly demoRemoved: number;
};

interface PublishOptions {
  readonly pool: Pick<Pool, "beginImport" | "findFacts" | "sources">;
  readonly ledger: Pick<Ledger, "brought" | "willBring">;
  readonly judge: Judge;
  readonly signal?: AbortSignal | undefined;
  /** Whether those whose facts are as before are also judged as before. */
  readonly isJudged: boolean;
  readonly demoLeaves: boolean;
}

/** Developers staged at once: a short transaction, so that a serving process is not held up. */
const batchSize = 100;

/**
 * @returns what became of the pool, and the logins that left it, lower-cased.
 * @throws Fault while another import runs; the signal's reason when it is aborted. The pool is then as before.
 */
export async function publishPeople(
  people: Iterable<Facts>,
  { pool, ledger, judge, signal, isJudged, demoLeaves }: PublishOptions,
): Promise<IngestCounts & { readonly gone: readonly string[] }> {
  const staged = await pool.beginImport("git");
  try {
    const present = new Set<string>();
    const brought = ledger.brought();
    const asBefore: string[] = [];
    let batch: ReturnType<Judge>[] = [];
    const flush = async (): Promise<void> => {
      ledger.willBring(batch.map(({ facts }) => facts.login.toLowerCase()));
      await staged.put(batch);
      batch = [];
      // A signal is delivered only when this process is given a moment.
      await Bun.sleep(0);
      signal?.throwIfAborted();
    };
    const stage = async (facts: Facts): Promise<void> => {
      batch.push(judge(facts));
      if (batch.length >= batchSize) await flush();
    };
    for (const told of people) {
      present.add(told.login.toLowerCase());
      const held = (await pool.findFacts([told.login]))[0];
      const facts = carryOverFacts(told, held);
      if (isJudged && held && JSON.stringify(held) === JSON.stringify(facts))
        asBefore.push(facts.login.toLowerCase());
      else await stage(facts);
    }
    // A ledger that was begun anew does not know yet whom the pool has from git.
    ledger.willBring(asBefore.filter((login) => !brought.has(login)));
    const gone = [...brought].filter((login) => !present.has(login));
    for (const login of gone) {
      const rest = removeGitFacts((await pool.findFacts([login]))[0]);
      if (rest) await stage(rest);
      else await staged.remove([login]);
    }
    await flush();
    if (demoLeaves) await staged.removeSource("demo");
    const demo = (await pool.sources()).find(({ source }) => source === "demo")?.developers ?? 0;
    const shown = await staged.commit();
    const demoRemoved = demoLeaves ? demo : 0;
    return { ...shown, demoRemoved, unchanged: shown.unchanged + asBefore.length, gone };
  } finally {
    await staged.abort();
  }
}

/** Moves with every import of git, by whomever: a restored or emptied pool is noticed. */
export async function readPoolMark(pool: Pick<Pool, "sources">): Promise<string> {
  const git = (await pool.sources()).find(({ source }) => source === gitSource);
  return git ? `${git.lastImportAt} ${git.developers}` : "";
}

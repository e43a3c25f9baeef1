/** A pool in memory with invented people, and who knows what in its repositories. */
import { readShippedModel } from "../../src/analysis/model.ts";
import { createKnowledgeBase } from "../../src/knowledge/knowledge.ts";
import type { RepositoryAuthorship } from "../../src/pool/pool.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../pool/invented.ts";

const now = () => new Date("2026-11-21T12:00:00Z");

/** @param count of people, whose logins are `dev-0`, `dev-1` and so on. */
export async function openInventedKnowledge(count: number) {
  const pool = openSqlitePool(":memory:", { now });
  const people = Array.from({ length: count }, (_, at) => `dev-${at}`);
  const load = await pool.beginImport("test");
  await load.put(people.map((login) => invented({ login })));
  await load.commit();
  const { authorship } = pool;
  return {
    pool,
    people,
    knowledge: createKnowledgeBase({ authorship, model: readShippedModel, now }),
    /** @param logins of its authors, by their numbers. */
    async store(
      repository: RepositoryAuthorship,
      logins: readonly (string | undefined)[] = people,
    ) {
      await authorship.replace(repository);
      await authorship.nameAuthors(repository.key, logins);
      const known = (await authorship.repositories()).find(({ name }) => name === repository.name);
      const head = await authorship.head(known?.id ?? -1);
      if (!known || !head) throw new Error("it was stored");
      const read = (from: number, to: number) => authorship.blocks(known.id, from, to);
      return { known, head, read };
    },
  };
}

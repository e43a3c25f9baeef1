/** A database that ends while a node reads repositories: the run says so in one sentence, and the next one goes on. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Fault } from "../../src/contract/fault.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { openPostgresPool } from "../../src/pool/postgres/postgres-pool.ts";
import { ada, ben, inventRepository } from "../ingest/git/invented-repository.ts";
import { judgeAsOf, openData } from "../ingest/git/opened-data.ts";
import { asOf } from "../ingest/git/read.ts";
import { hasPostgres } from "../postgres/database.ts";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("without-database");
inventRepository(join(folder, "one"), [{ author: ada }, { author: ben }]);

describe.skipIf(!hasPostgres)("a run on a node", () => {
  let server: PostgresServer;
  let pool: Pool;
  beforeAll(async () => {
    server = await startPostgres();
    const now = () => new Date("2026-11-21T12:00:00Z");
    pool = await openPostgresPool({ url: server.url, connectionsMax: 4 }, { now });
  });
  afterAll(async () => {
    await pool.close();
    await server.stop();
  });

  const stages = ["reading", "counting commits", "judging"] as const;
  for (const end of ["halt", "kill"] as const) {
    test.each(stages)(`that loses its database by a ${end} while %s says why`, async (stage) => {
      const data = openData();
      let ending: Promise<void> | undefined;
      const leave = (at: string) => {
        if (at === stage) ending ??= server[end]();
      };
      const judge = judgeAsOf(asOf);
      const failed: unknown = await data
        .ingest([folder], {
          pool,
          anew: true,
          judge: Object.assign((facts: Parameters<typeof judge>[0]) => {
            leave("judging");
            return judge(facts);
          }, judge),
          onProgress: ({ phase }) => leave(phase?.doing ?? "reading"),
        })
        .catch((error: unknown) => error);
      await ending;
      await server.start();
      expect(failed).toBeInstanceOf(Fault);
      expect((failed as Fault).code).toMatch(/^(database_away|outcome_unknown)$/);
      expect((failed as Fault).message).not.toContain("Failed query");
      expect((await data.ingest([folder], { pool })).imported).toBeDefined();
    });
  }
});

/** The people in the executable, against what judging them now gives: whatever shapes a judgement must be in the build. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAssessor } from "../../src/analysis/analysis.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { createJudge, demoAsOf } from "../../src/ingest/ingest.ts";
import { openPlaces } from "../../src/places/places.ts";
import { packDeveloper } from "../../src/pool/rows/pack-developer.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { isLong } from "../long.ts";

const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/roster");

test.skipIf(!existsSync(binary))(
  "the executable's demo people are what judging gives (skipped without dist/roster: scripts/build makes it)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-demo-"));
    try {
      const command = [binary, "serve", "--data", join(folder, "data"), "--port", "0"];
      const server = Bun.spawn(command, { stdout: "ignore", stderr: "pipe", env: {} });
      const log: string[] = [];
      for await (const chunk of server.stderr) {
        log.push(new TextDecoder().decode(chunk));
        if (log.join("").includes('"started"')) server.kill();
      }
      expect(await server.exited).toBe(0);
      expect(log.join("")).toContain("are in place");
      const pool = new Database(join(folder, "data/pool.db"), { readonly: true });
      const rows = pool
        .query<{ login: string; hash: string }, []>(
          "SELECT login, whole_hash AS hash FROM developer",
        )
        .all();
      pool.close();
      const lines = Bun.zstdDecompressSync(readFileSync(join(root, "seed/demo.jsonl.zst")));
      const places = openPlaces();
      const assess = createAssessor(createVocabulary());
      const judge = createJudge({ assess, places, asOf: demoAsOf });
      const built = new Map(rows.map(({ login, hash }) => [login, hash]));
      const everybody = lines.toString("utf8").trimEnd().split("\n");
      expect(built.size).toBe(everybody.length);
      // In the gate every fifth.
      const some = everybody.filter((_, at) => isLong || at % 5 === 0);
      const differing = some.flatMap((line) => {
        const facts = JSON.parse(line) as Facts;
        const isSame = packDeveloper(judge(facts)).wholeHash === built.get(facts.login);
        return isSame ? [] : [facts.login];
      });
      expect(differing).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);

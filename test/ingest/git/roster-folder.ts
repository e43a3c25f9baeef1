/**
 * A data folder that is used as an operator does, by commands alone, and described by what it shows: an export of everybody, what
 * `who` reads and answers, identities, and the list of repositories. Nothing here knows how ingest stores anything.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { openCommandLine } from "../../interfaces/cli/command-line.ts";
import { describePool } from "./describe-data.ts";

export interface ListedRepository {
  readonly name: string;
  readonly path: string;
  readonly state: string;
  readonly tip: string;
  readonly commits: number;
}

export type RosterFolder = ReturnType<typeof openRosterFolder>;

/** @param given a folder that something else fills; default: a new one. */
export function openRosterFolder(now: () => Date, given?: string) {
  const line = openCommandLine(now);
  const folder = given ?? line.folder;
  const data = ["--data", folder];
  /** @throws when the command ends with another code than these. */
  const call = async (codes: readonly number[], ...argv: string[]): Promise<string> => {
    const { code, out, err } = await line.run(...argv, ...data);
    if (!codes.includes(code)) throw new Error(`roster ${argv.join(" ")}: exit ${code}\n${err}`);
    return out;
  };
  const readPool = async <Result>(act: (pool: Pool) => Promise<Result>): Promise<Result> => {
    mkdirSync(folder, { recursive: true });
    const pool = openSqlitePool(join(folder, "pool.db"), { now });
    return act(pool).finally(() => pool.close());
  };
  const list = async (): Promise<readonly ListedRepository[]> =>
    JSON.parse(await call([0], "ingest", "list", "--json"));
  const writeExport = async (): Promise<string> => {
    const file = join(line.folder, "..", "people.jsonl");
    await call([0], "export", file);
    const exported = await Bun.file(file).text();
    rmSync(file);
    return exported;
  };
  return {
    folder,
    call,
    readPool,
    list,
    exportAll: async (): Promise<readonly Facts[]> =>
      (await writeExport())
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    /** 3: a repository was left out or is gone. */
    ingest: (...more: string[]) => call([0, 3], "ingest", "git", ...more, "--allow-removals"),
    describe: async (): Promise<string> => {
      const exported = await writeExport();
      const [names, stored] = await readPool(async (pool) => [
        (await pool.authorship.repositories()).map(({ name }) => name),
        await describePool(pool),
      ]);
      const answers: string[] = [];
      for (const name of new Set(names)) {
        // 2: two forges have a repository of this name; 4: everybody who knows it was forgotten.
        const answer = await call([0, 2, 4], "who", "--repository", name, "--json");
        answers.push(`who ${name} ${JSON.stringify({ ...JSON.parse(answer), meta: undefined })}`);
      }
      return [
        ...exported.split("\n").filter(Boolean),
        ...stored,
        ...answers,
        ...splitList(await call([0], "identity", "list", "--json")),
        ...splitList(await call([0], "identity", "suggestions", "--json")),
        ...(await list()).map((row) => JSON.stringify({ ...row, readAt: undefined })),
      ].join("\n");
    },
    close: () => line.close(),
  };
}

function splitList(json: string): readonly string[] {
  // Each folder gives a decision an id of its own.
  const alike = json.replaceAll(/dec_\w+/g, "dec");
  const rows = JSON.parse(alike) as readonly object[];
  return rows.map((row) => JSON.stringify(row));
}

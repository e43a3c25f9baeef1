/** Forgetting people whose names also stand with other addresses in trailers, from the command line to the bytes of the ledger. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openCommandLine } from "../../../interfaces/cli/command-line.ts";
import { git, inventRepository, temporaryFolder } from "../invented-repository.ts";

const repositories = temporaryFolder();
const line = openCommandLine();
const data = ["--data", line.folder];
afterAll(() => {
  line.close();
  repositories.remove();
});

const vera = "Vera Exempla <vera@one.example>";
const olga = "Olga Sample <olga@one.example>";
const trailers = (...lines: string[]) => ({
  author: olga,
  message: `Change it\n\nBody.\n\n${lines.join("\n")}\n`,
});

/** Every text of the ledger, what is compressed included. */
function readLedger(): string {
  const ledger = new Database(join(line.folder, "ingest.db"), { readonly: true });
  const tables = ledger
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  const rows = tables.flatMap(({ name }) => ledger.query(`SELECT * FROM "${name}"`).values());
  ledger.close();
  return rows
    .flat()
    .map((value) => {
      if (!(value instanceof Uint8Array)) return String(value);
      try {
        return Bun.zstdDecompressSync(value).toString("latin1");
      } catch {
        return Buffer.from(value).toString("latin1");
      }
    })
    .join("\n");
}

async function ok(...argv: string[]): Promise<string> {
  const { code, out, err } = await line.run(...argv, ...data);
  if (code !== 0) throw new Error(`${argv.join(" ")}: ${code} ${err}`);
  return out + err;
}

const preview = async () =>
  (await line.json("forget", "vera@one.example", "--dry-run", ...data)) as {
    readonly addresses: readonly string[];
    readonly names: readonly string[];
    readonly joinsByName: readonly unknown[];
  };

test("names of trailers are erased by the rules for names of authors, and shown before", async () => {
  const path = inventRepository(join(repositories.path, "tool.git"), [
    { author: vera },
    trailers(
      "Reviewed-by: Vera Exempla <vera@two.example>",
      "Tested-by: Exempla, Vera <vera@three.example>",
      "Acked-by: Vera Exempla <root@localhost>",
      // Addresses of others, and another name.
      "Reported-by: Vera Exempla <olga@one.example>",
      "Tested-by: Vera Exempla <nina@corp.example>",
      "Reviewed-by: Vera Other <other@one.example>",
    ),
    trailers("Reviewed-by: Vera Exempla <vera@late.example>"),
  ]);
  const far = inventRepository(join(repositories.path, "far.git"), [
    trailers("Reviewed-by: Vera Exempla <stranger@far.example>"),
  ]);
  const people = join(repositories.path, "people.jsonl");
  const nina = {
    ...{ login: "nina", source: "test", profile: { name: "Nina Third" } },
    ...{ repositories: [], evidence: [] },
    emails: [{ address: "nina@corp.example", sources: ["test"], published: false }],
  };
  await Bun.write(people, `${JSON.stringify(nina)}\n`);
  await ok("import", people);
  await ok("ingest", "git", path, far);
  expect((await preview()).addresses).toContain("vera@late.example");
  // What a history no longer says is gone before anybody is forgotten.
  git(path, "update-ref", "refs/heads/main", "main~1");
  await ok("ingest", "git", path);
  expect(readLedger()).not.toContain("vera@late.example");

  const shown = await preview();
  expect(shown.addresses).toEqual([
    ...["root@localhost", "vera@one.example", "vera@three.example", "vera@two.example"],
  ]);
  expect(shown.names).toEqual(["Exempla, Vera", "Vera Exempla"]);
  expect(shown.joinsByName).toHaveLength(3);
  const receipt = await line.json("forget", "vera@one.example", "--yes", ...data);
  expect(receipt).toMatchObject({ developers: 1 });

  const others = /olga@one\.example|nina@corp\.example|stranger@far\.example/;
  for (const again of [false, true]) {
    if (again) await ok("ingest", "git", path, far);
    const ledger = new Database(join(line.folder, "ingest.db"), { readonly: true });
    const spellings = ledger
      .query<{ name: string; raw_email: string }, []>("SELECT name, raw_email FROM spelling")
      .all();
    ledger.close();
    const named = spellings.filter(({ name }) => name.includes("Exempla"));
    expect(named.length).toBe(3);
    expect(named.every(({ raw_email: address }) => others.test(address))).toBe(true);
    expect(readLedger()).not.toMatch(/vera@|Exempla, Vera|root@localhost/);
    expect(await ok("find", "olga")).toContain("Olga Sample");
    expect(await ok("find", "nina")).toContain("Nina Third");
  }
});

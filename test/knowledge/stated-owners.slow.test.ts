/** Ownership files of real repositories, from git to the answer, on the real wiring. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackOwnership } from "../../src/pool/rows/authorship/pack-authorship.ts";
import { git, type InventedCommit, inventRepository } from "../ingest/git/invented-repository.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { makeFolder } from "../temporary-folder.ts";

const shelf = makeFolder("git");

const olga = "Olga Alt <1+olga-alt@users.noreply.github.com>";
const ben = "Ben Sample <2+ben-sample@users.noreply.github.com>";
const cara = "Cara Probe <cara@example.org>";
const remote = "https://github.com/example-org/shop.git";

const codeOwners = `/src/pay/ @olga-alt @stranger
/docs/ cara@example.org
/ops/ @example-org/operators
/src/old.ts @olga-alt
`;
const content = (name: string, lines = 20) => `${`export const ${name} = 1;\n`.repeat(lines)}`;
const history: readonly InventedCommit[] = [
  { author: olga, at: "2021-03-01", files: { "src/old.ts": content("old") } },
  { author: cara, at: "2026-02-01", files: { "docs/a.md": content("a") } },
  {
    ...{ author: ben, at: "2026-03-01" },
    files: { "src/pay/card.ts": content("card"), "ops/run.ts": content("run") },
  },
  { author: ben, at: "2026-03-02", files: { "src/pay/bank.ts": content("bank") } },
  { author: ben, at: "2026-03-02", files: { "src/pay/bank.ts": content("bank", 25) } },
  { author: cara, at: "2026-03-03", files: { CODEOWNERS: codeOwners } },
];
let made = 0;

function invent(commits = history, name = "shop.git"): string {
  const path = inventRepository(join(shelf, `${++made}`, name), commits);
  git(path, "config", "remote.origin.url", remote.replace("shop.git", name));
  return path;
}

async function withRoster(use: (roster: Roster) => Promise<void>): Promise<void> {
  const line = openCommandLine();
  const run = async (...argv: string[]) => {
    const { code, out, err } = await line.run(...argv, "--data", line.folder);
    if (code !== 0) throw new Error(`${argv.join(" ")}: ${code} ${err}`);
    return { out, err };
  };
  const who: Roster["who"] = async (...argv) =>
    JSON.parse((await run("who", "--repository", "shop", ...argv, "--json")).out).data;
  try {
    await use({ run, who, folder: line.folder });
  } finally {
    line.close();
  }
}

interface Roster {
  readonly folder: string;
  run(...argv: string[]): Promise<{ out: string; err: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: Tests read deep into JSON.
  who(...argv: string[]): Promise<any>;
}

const drift = {
  files: ["CODEOWNERS"],
  rules: 4,
  judged: 4,
  drifting: {
    total: 1,
    rules: [
      {
        ...{ file: "CODEOWNERS", line: 1, pattern: "/src/pay/", files: 2 },
        owners: ["@olga-alt", "@stranger"],
        departed: [
          {
            ...{ owner: "@olga-alt", login: "olga-alt", lastDay: "2021-03-01" },
            reason: "Never changed these files; the last work in the repository was on 1 Mar 2021.",
          },
        ],
        unnamed: [
          {
            ...{ login: "ben-sample", share: 1, lastDay: "2026-03-02" },
            reason:
              "Knows 100 % of these files, last changed one on 2 Mar 2026, and is not an owner.",
          },
        ],
        unknown: ["@stranger"],
        teams: [],
      },
    ],
  },
};

test("says who left, who is missing and whom nobody knows; leaves out teams, and owners who still know it", async () => {
  await withRoster(async ({ run, who }) => {
    await run("ingest", "git", invent());
    expect((await who()).ownership).toEqual(drift);
    const { out, err } = await run("who", "--repository", "shop");
    expect(out).toContain("ownership files\n");
    expect(out).toMatch(/CODEOWNERS:1 +\/src\/pay\/ +@olga-alt +Never changed these files/);
    expect(out).toMatch(/CODEOWNERS:1 +\/src\/pay\/ +ben-sample +Knows 100 % of these files/);
    expect(err).toContain(`Ownership files ("CODEOWNERS"): history contradicts 1 of 4 rules.`);
  });
});

test("judges the rules of the folder that is asked for, on no earlier day than the file is of", async () => {
  await withRoster(async ({ run, who }) => {
    await run("ingest", "git", invent(), invent(history.slice(0, 2), "other.git"));
    expect((await who("--path", "src/pay")).ownership).toEqual({ ...drift, rules: 1, judged: 1 });
    const file = await who("--path", "src/pay/card.ts");
    expect(file.ownership).toMatchObject({ rules: 1, judged: 0, drifting: { total: 0 } });
    const { err } = await run("who", "--path", "src/pay/card.ts");
    expect(err).toContain("Ask about the whole repository to compare them with history.");
    expect(err).not.toContain("of 0 rules");
    expect((await who("--path", "docs")).ownership).toMatchObject({ drifting: { total: 0 } });
    expect(await who("--as-of", "2026-03-02")).not.toHaveProperty("ownership");
    expect(await who("--repository", "other")).not.toHaveProperty("ownership");
  });
});

test("follows the file: rules change, move to another clone's newer history, and go", async () => {
  await withRoster(async ({ run, who }) => {
    const place = invent();
    await run("ingest", "git", place);
    const mended = "/src/pay/ @ben-sample\n/ops/ @olga-alt\n";
    const newer = [...history, { author: cara, at: "2026-04-01", files: { CODEOWNERS: mended } }];
    await run("ingest", "git", invent(newer));
    const { ownership } = await who();
    expect(ownership.drifting.rules).toMatchObject([
      { line: 2, pattern: "/ops/", departed: [{ login: "olga-alt" }], unnamed: [{}] },
    ]);
    const gone = [...newer, { author: cara, at: "2026-05-01", files: { CODEOWNERS: null } }];
    inventRepository(place, gone);
    await run("ingest", "git", place);
    expect(await who()).not.toHaveProperty("ownership");
  });
});

test("a forgotten owner is in no rule and no byte of the pool, and does not come back", async () => {
  await withRoster(async ({ run, who, folder }) => {
    await run("ingest", "git", invent());
    const [before] = storedRules(folder);
    expect(JSON.stringify(before && unpackOwnership(before))).toContain("olga-alt");
    // Packed rules begin with a checksum, which no other bytes have.
    expect(holds(folder, before?.subarray(0, 16))).toBe(true);
    await run("forget", "olga-alt");
    const isForgotten = async () => {
      const { ownership } = await who();
      const [rule] = ownership.drifting.rules;
      expect(rule).toMatchObject({ owners: ["@stranger"], departed: [], unnamed: [{ share: 1 }] });
      const [after] = storedRules(folder);
      const text = JSON.stringify(after && unpackOwnership(after));
      expect(text).toContain("stranger");
      expect(text.toLowerCase()).not.toContain("olga");
      expect(holds(folder, before?.subarray(0, 16))).toBe(false);
      // The list of changes keeps the login for 30 days, as docs/erasure.md says.
      for (const text of ["@olga", "Olga", "+olga"]) expect(holds(folder, text)).toBe(false);
    };
    await isForgotten();
    await run("ingest", "git");
    await isForgotten();
    await run("ingest", "forget", "example-org/shop", "--allow-removals");
    expect(storedRules(folder)).toEqual([]);
  });
});

function storedRules(folder: string): Buffer[] {
  const database = new Database(join(folder, "pool.db"), { readonly: true });
  const rows = database.query<{ content: Uint8Array }, []>(
    "SELECT content FROM repository_ownership",
  );
  const found = rows.all().map(({ content }) => Buffer.from(content));
  database.close();
  return found;
}

/** Whether the bytes lie anywhere in the files of the pool. */
function holds(folder: string, bytes: Uint8Array | string | undefined): boolean {
  return readdirSync(folder)
    .filter((name) => name.startsWith("pool.db"))
    .some((name) => readFileSync(join(folder, name)).includes(bytes ?? ""));
}

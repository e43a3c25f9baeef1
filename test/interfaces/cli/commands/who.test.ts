/** The command `who`: what it prints, and the changes that it reads. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance } from "../../../appliance.ts";
import { program } from "../../../faults/server-process.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const root = mkdtempSync(join(tmpdir(), "roster-who-"));
const data = join(root, "data");
const who = (...argv: string[]) => commandLine.run("who", ...argv, "--data", data);

await (await openTestAppliance({ folder: data })).close();
const commandLine = openCommandLine();
afterAll(() => {
  commandLine.close();
  rmSync(root, { recursive: true });
});

function written(name: string, text: string | Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

const diff = `diff --git a/services/payments/money.ts b/services/payments/money.ts
index 1111111..2222222 100644
--- a/services/payments/money.ts
+++ b/services/payments/money.ts
@@ -1 +1 @@
-const a = 1;
+const a = 2;
`;

test("names people, best first, with evidence and reasons", async () => {
  const ran = await who("--repository", "onyx-vault", "--json");
  expect([ran.code, ran.err]).toEqual([0, expect.stringMatching(/^Source: the data folder .*\n$/)]);
  const { people, truckFactor } = JSON.parse(ran.out).data;
  expect(people[0]).toMatchObject({ login: "ada-example", evidence: { commits: 2, reviews: 1 } });
  expect(people[0].reasons[0]).toContain("2 commits to 2 files");
  expect(truckFactor.people).toBeGreaterThan(0);
  const shown = await who("--repository", "onyx-vault");
  expect(shown.out).toContain("ada-example");
});

test("reads the change to review from a file, as a diff and as a list", async () => {
  for (const text of [diff, "services/payments/money.ts\n", "services/payments/money.ts\0"]) {
    const ran = await who("--diff", written("change", text), "--json");
    expect(JSON.parse(ran.out).data.paths).toEqual(["services/payments/money.ts"]);
  }
});

test("reads what PowerShell redirects, which is UTF-16", async () => {
  const little = Buffer.from(`\ufeff${diff.replaceAll("\n", "\r\n")}`, "utf16le");
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, big, Buffer.from(`\ufeff${diff}`)]) {
    const ran = await who("--diff", written("wide", bytes), "--json");
    expect(JSON.parse(ran.out).data.paths).toEqual(["services/payments/money.ts"]);
  }
});

test("refuses what names no file of the repository, and names that are cut", async () => {
  for (const [text, message] of [
    ["hello\nworld\n", 'has had none of these files or folders: "hello"'],
    ["nowhere/none.ts\n", 'has had none of these files or folders: "nowhere/none.ts"'],
  ] as const) {
    const ran = await who("--repository", "onyx-vault", "--diff", written("none", text));
    expect([ran.code, ran.err]).toEqual([4, expect.stringContaining(message)]);
  }
  const stat = " .../payments/money.ts | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
  const cut = await who("--diff", written("stat", stat));
  expect([cut.code, cut.err]).toEqual([2, expect.stringContaining("--name-only")]);
});

describe("--format", () => {
  test("markdown is a comment: a heading, and the people in a table", async () => {
    const change = written("comment", `${diff}\nservices/payments/new|file.ts\n`);
    const ran = await who("--diff", change, "--format", "markdown");
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringMatching(/^Source: the data folder .*\n$/),
    ]);
    expect(ran.out).toStartWith("### Suggested reviewers\n\n<p>");
    expect(ran.out).toContain("<td><code>ada-example</code> Ada Example</td>");
    expect(ran.out).toContain("<code>services/payments/money.ts</code> 100 %");
    const empty = await who("--diff", written("none", ""), "--format", "markdown");
    expect(empty.out).toContain("\n\nThe change touches no file, so it needs no review.\n");
    const path = await who("--path", "services", "--without", "ada-example", "--format=markdown");
    expect(path.out).toStartWith("### Who knows these files\n");
    expect(path.out).toContain("<p>hand-over</p>");
  });

  test("new files are said", async () => {
    const paths = written("new", "services/payments/money.ts\nservices/payments/a|b@c.ts\n");
    const ran = await who("--diff", paths, "--format", "markdown");
    expect(ran.out).toContain("<code>services/payments/a&#124;b&#64;c.ts</code>.</p>");
  });

  test("json is --json, a refusal too; text is the default; two forms and another are refused", async () => {
    const asked = ["--repository", "onyx-vault"];
    const json = await who(...asked, "--format", "json");
    expect(JSON.parse(json.out)).toMatchObject({ success: true, data: { total: 3 } });
    expect((await who(...asked, "--format", "text")).out).toBe((await who(...asked)).out);
    const both = await who(...asked, "--format", "markdown", "--json");
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("cannot be used together")]);
    for (const form of [["--format", "json"], ["--format=json"]]) {
      const refused = await who("--diff", join(root, "absent"), ...form);
      expect(JSON.parse(refused.out)).toMatchObject({ success: false, error: { code: "usage" } });
    }
    const other = await who(...asked, "--format", "html");
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("text, json, markdown")]);
    const unknown = await who("--repository", "nope", "--format", "markdown");
    expect([unknown.code, unknown.out]).toEqual([4, ""]);
  });
});

test("reads the change from standard input", async () => {
  const child = Bun.spawn([...program, "who", "--diff", "-", "--json", "--data", data], {
    ...{ stdin: new Blob([diff]), stdout: "pipe", stderr: "pipe" },
  });
  expect(JSON.parse(await new Response(child.stdout).text()).data.paths).toEqual([
    "services/payments/money.ts",
  ]);
  expect(await child.exited).toBe(0);
});

test("a line of a megabyte is read, and names no file", async () => {
  const line = `diff --git ${"a/".repeat(2 ** 19)}`;
  const ran = await who("--diff", written("long", line));
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("touches no file")]);
});

// A second signal would end it in any case.
test.each([
  ["who", "who --diff -"],
  ["import", "import -"],
])(
  "%s can be stopped while nothing comes from standard input",
  async (_, command) => {
    const child = Bun.spawn([...program, ...command.split(" "), "--data", data], {
      ...{ stdin: "pipe", stdout: "ignore", stderr: "ignore" },
    });
    await Bun.sleep(3000);
    child.kill("SIGTERM");
    // Whoever is deaf ends with the test.
    expect(await child.exited).toBe(130);
  },
  60_000,
);

test("an empty change, an absent file and too many files are said", async () => {
  const empty = await who("--diff", written("empty", ""));
  expect([empty.code, empty.err]).toEqual([0, expect.stringContaining("touches no file")]);
  const none = written("e", "");
  const inRepository = await who("--repository", "onyx-vault", "--json", "--diff", none);
  expect(inRepository.code).toBe(0);
  expect(JSON.parse(inRepository.out).data).toMatchObject({ people: [], total: 0 });
  const absent = await who("--diff", join(root, "absent"));
  expect([absent.code, absent.err]).toEqual([2, expect.stringContaining("absent")]);
  const many = written("many", Array.from({ length: 501 }, (_, at) => `f${at}`).join("\n"));
  expect((await who("--diff", many)).err).toContain("501 files, and the limit is 500");
});

test("owners are proposed only where the repository was read", async () => {
  const ran = await who("--repository", "onyx-vault", "--format", "codeowners");
  expect([ran.code, ran.out]).toEqual([4, ""]);
  expect(ran.err).toContain("demo-guild/onyx-vault was not read into this data folder");
});

describe("where no git repository was read", () => {
  test("says so, and what git is needed for", async () => {
    const other = join(root, "unread");
    await (await openTestAppliance({ folder: other, people: [] })).close();
    const ran = await commandLine.run("who", "--path", "src", "--data", other);
    expect(ran.code).not.toBe(0);
    expect(ran.err).toContain("no git repository has been read yet, and only git says");
  }, 300_000);
});

test("people who left come last, under a heading of their own", async () => {
  const lines = (count: number) => ({ "src/a.ts": "const a = 1;\n".repeat(count) });
  const path = inventRepository(join(root, "left"), [
    { author: "Olga Alt <olga@example.com>", at: "2021-03-01", files: lines(90) },
    { author: "Ben Dev <ben@example.com>", at: "2024-03-02", files: lines(91) },
    { author: "Ada Dev <ada@example.com>", at: "2026-03-01", files: lines(92) },
  ]);
  const other = ["--data", join(root, "other")];
  expect((await commandLine.run("ingest", "git", path, ...other)).code).toBe(0);
  for (const of of [[], ["--diff", written("left.txt", "src/a.ts\n")]]) {
    const run = (...more: string[]) =>
      commandLine.run("who", "--repository", "left", ...of, ...more, ...other);
    const { people } = JSON.parse((await run("--json")).out).data;
    expect(people).toMatchObject([{ name: "Ada Dev" }, { name: "Ben Dev" }, { hasLeft: true }]);
    expect(people[1]).toMatchObject({ isActive: false });
    expect(people[1].hasLeft).toBeUndefined();
    const { out } = await run();
    expect(out).toMatch(/Ada Dev.*Ben Dev[^\n]*\n\npeople who left\nlogin[^\n]*\n\S*olga/s);
    const comment = await run("--format", "markdown");
    expect(comment.out).toMatch(/Ben Dev.*<p>People who left<\/p>.*Olga Alt/s);
  }
});

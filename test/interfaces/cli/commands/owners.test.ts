/** The commands `owners check` and `owners propose`: findings, baselines, formats and exit codes, on a real repository. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv-draft-04";
import { marked } from "marked";
import {
  git,
  type InventedCommit,
  inventRepository,
} from "../../../ingest/git/invented-repository.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { openCommandLine } from "../command-line.ts";

const shelf = makeFolder("owners-check");
const person = (name: string, number: number) =>
  `${name} Sample <${number}+${name.toLowerCase()}@users.noreply.github.com>`;
const [olga, ben, dan, fay, gus, hal] = ["Olga", "Ben", "Dan", "Fay", "Gus", "Hal"].map(person) as [
  ...[string, string, string, string, string, string],
];
const kim = "Kim Probe <9+kim-probe@users.noreply.github.com>";
const names = [..."abcdefghijkl"];
const work = (author: string, day: string, folder: string): readonly InventedCommit[] =>
  [20, 21, 22].map((lines) => ({
    ...{ author, at: day },
    files: Object.fromEntries(
      names.map((name) => [`${folder}/${name}.ts`, `${author} ${name}\n`.repeat(lines)]),
    ),
  }));

const codeOwners = `# Who is asked.
src/old/ @olga
src/pay/ @dan @example-org/payers
src/hal/ @hal @kim-probe
/src/wide/ @gus
!src/pay/x.ts @ben
/gone/@acme/core/ @ben
/src/many/ @stranger
`;

const history: readonly InventedCommit[] = [
  ...work(olga, "2021-03-01", "src/old"),
  ...work(gus, "2021-03-02", "src/wide"),
  ...work(hal, "2021-03-03", "src/hal"),
  ...work(kim, "2021-03-04", "src/hal"),
  ...work(dan, "2026-01-10", "src/pay"),
  ...work(gus, "2026-01-11", "src/many"),
  ...["Ida", "Jan", "Kai", "Lea", "Mia", "Nia"].flatMap((name, at) =>
    work(person(name, 20 + at), "2026-02-01", "src/wide"),
  ),
  ...work(ben, "2026-02-10", "src/old"),
  ...work(ben, "2026-02-11", "src/hal"),
  ...work(fay, "2026-02-12", "lib"),
  { author: "K. P. <mail@kim-probe.example.org>", at: "2026-02-20", files: { "b.md": "x\n" } },
  // As a merge does, it changes no file.
  { author: hal, at: "2026-03-01", message: "Merge the branch of Ben", files: {} },
  { author: ben, at: "2026-03-04", files: { "docs/a.md": "x\n" } },
];
const owned = (files: Readonly<Record<string, string>>) => [
  { author: ben, at: "2021-02-01", files },
  ...history,
];
const shopHistory = owned({ CODEOWNERS: codeOwners });

let made = 0;
function openShop(
  commits: readonly InventedCommit[] = shopHistory,
  remote = "https://github.com/example-org/shop.git",
) {
  const repository = inventRepository(join(shelf, `${++made}`, "shop.git"), commits);
  git(repository, "config", "remote.origin.url", remote);
  return repository;
}

const lines: ReturnType<typeof openCommandLine>[] = [];
afterAll(() => {
  for (const line of lines) line.close();
});

/** Reads a repository into a data folder of its own. */
async function openOwners(repository = openShop(), today = "2026-03-05") {
  const line = openCommandLine(() => new Date(`${today}T12:00:00Z`));
  lines.push(line);
  const data = ["--data", line.folder];
  const ran = await line.run("ingest", "git", repository, ...data);
  if (ran.code !== 0) throw new Error(ran.err);
  const owners = (...argv: string[]) =>
    line.run("owners", ...argv, "--repository", "shop", ...data);
  return { line, data, owners, check: (...argv: string[]) => owners("check", ...argv) };
}

const shop = await openOwners();
const { check } = shop;
interface Finding {
  readonly kind: string;
  readonly line: number;
  readonly pattern: string;
  readonly owner?: string;
  readonly message: string;
}
const findings = async (argv: readonly string[] = [], from = check): Promise<readonly Finding[]> =>
  JSON.parse((await from("--format", "json", ...argv)).out).findings;

test("finds who left, who knows nothing of it, what matches nothing, what is ignored, and what nobody owns", async () => {
  expect(await findings()).toMatchInlineSnapshot(`
    [
      {
        "file": "CODEOWNERS",
        "kind": "folder-unowned",
        "line": 1,
        "message": "No rule covers it. Known best by @fay (100 %).",
        "pattern": "/lib/",
      },
      {
        "file": "CODEOWNERS",
        "kind": "owner-left",
        "line": 2,
        "message": "No known work in the repository since 2021-03-01.",
        "owner": "@olga",
        "pattern": "src/old/",
      },
      {
        "file": "CODEOWNERS",
        "kind": "owner-stale",
        "line": 5,
        "message": "No change of these files since 2021-03-02; at least five people know them better.",
        "owner": "@gus",
        "pattern": "/src/wide/",
      },
      {
        "file": "CODEOWNERS",
        "kind": "line-ignored",
        "line": 6,
        "message": "Ignored: GitHub knows no patterns that begin with !.",
        "pattern": "!src/pay/x.ts",
      },
      {
        "file": "CODEOWNERS",
        "kind": "rule-unmatched",
        "line": 7,
        "message": "No file matches this pattern.",
        "pattern": "/gone/@acme/core/",
      },
    ]
  `);
});

test("text names a line and a kind for each, and the exit code says that there are some", async () => {
  const ran = await check();
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(
    /^CODEOWNERS:2 +owner-left +src\/old\/ +@olga +No known work .*2021-03-01/m,
  );
  expect(ran.err).toContain("5 new findings");
  expect(await check()).toEqual(ran);
});

describe("a baseline", () => {
  const file = join(shelf, "baseline.json");

  test("is written once, and then nothing is new", async () => {
    const written = await check("--baseline", file, "--write-baseline");
    expect([written.code, written.out]).toEqual([0, ""]);
    expect(written.err).toContain(`5 accepted findings written to ${file}`);
    const text = readFileSync(file, "utf8");
    expect(text).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "findings": [
          {"file":"CODEOWNERS","kind":"folder-unowned","pattern":"/lib/"},
          {"file":"CODEOWNERS","kind":"line-ignored","pattern":"!src/pay/x.ts"},
          {"file":"CODEOWNERS","kind":"owner-left","pattern":"src/old/","owner":"@olga"},
          {"file":"CODEOWNERS","kind":"owner-stale","pattern":"/src/wide/","owner":"@gus"},
          {"file":"CODEOWNERS","kind":"rule-unmatched","pattern":"/gone/@acme/core/"}
        ]
      }
      "
    `);
    const again = await check("--baseline", file);
    expect([again.code, again.out]).toEqual([0, ""]);
    expect(again.err).toContain("0 new findings, 5 in the baseline");
    await check("--baseline", file, "--write-baseline");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(shelf).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("holds when lines move, names what was fixed, and lets through what is new", async () => {
    const moved = `\n\n${codeOwners.replace("!src/pay/x.ts @ben\n", "/never/ @ben\n")}`;
    const more = { author: ben, at: "2026-03-04", files: { CODEOWNERS: moved } };
    const later = await openOwners(openShop([...shopHistory, more]));
    const ran = await later.check("--baseline", file);
    expect(ran.code).toBe(1);
    expect(ran.out.match(/CODEOWNERS:.*/g)?.join("\n")).toMatch(
      /^CODEOWNERS:8 +rule-unmatched +\/never\/ +No file matches this pattern\.$/,
    );
    expect(ran.err).toContain("removes it: line-ignored CODEOWNERS !src/pay/x.ts");
  });

  test("keeps what a history that is too old cannot judge", async () => {
    const later = await openOwners(openShop(), "2027-06-01");
    const ran = await later.check("--baseline", file);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("more than a year ago")]);
    expect(ran.err).not.toContain("removes it");
    const copy = join(shelf, "copy.json");
    writeFileSync(copy, readFileSync(file));
    await later.check("--baseline", copy, "--write-baseline");
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(file, "utf8"));
  });

  test("that is none is refused and stays as it is; one that is absent is exit code 4", async () => {
    const other = join(shelf, "other.json");
    const versions = ['{"version":1}', '{"version":2,"findings":[]}'];
    const entries = ["{}", "null"].map((one) => `{"version":1,"findings":[${one}]}`);
    for (const text of ["", "[]", "null", ...versions, ...entries]) {
      writeFileSync(other, text);
      for (const argv of [[], ["--write-baseline"]]) {
        const ran = await check("--baseline", other, ...argv);
        const words = expect.stringContaining("not a baseline");
        expect([text, ran.code, ran.err]).toEqual([text, 3, words]);
      }
      expect(readFileSync(other, "utf8")).toBe(text);
    }
    const absent = await check("--baseline", join(shelf, "absent.json"));
    const words = expect.stringContaining("--write-baseline creates");
    expect([absent.code, absent.err]).toEqual([4, words]);
    const away = await check("--baseline", join(shelf, "no/where.json"), "--write-baseline");
    expect([away.code, away.err]).toEqual([5, expect.stringContaining("cannot be written")]);
    expect((await check("--write-baseline")).code).toBe(2);
  });
});

test("SARIF is valid by its schema, has what code scanning requires, and mentions nobody", async () => {
  const ran = await check("--format", "sarif");
  expect(ran.code).toBe(1);
  const report = JSON.parse(ran.out);
  const schema = join(import.meta.dir, "../contracts/sarif-2.1.0.json");
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(schema, "utf8")),
  );
  expect(isValid(report) || isValid.errors).toBe(true);
  expect(isValid({ ...report, runs: [{}] })).toBe(false);
  const [{ tool, results }] = report.runs;
  for (const { id, shortDescription, fullDescription, help } of tool.driver.rules)
    for (const { text } of [shortDescription, fullDescription, help])
      expect([id, text.length > 0 && text.length <= 1024]).toEqual([id, true]);
  expect(results).toHaveLength(5);
  for (const { ruleId, ruleIndex, locations } of results) {
    expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe("CODEOWNERS");
  }
  const prints = results.map((one: { partialFingerprints: object }) => one.partialFingerprints);
  expect(new Set(prints.map(({ primaryLocationLineHash: hash = "" }) => hash)).size).toBe(5);
  expect(
    results.map(({ message }: { message: { text: string } }) => message.text).join(),
  ).not.toContain("@");
  const file = join(shelf, "sarif.json");
  await check("--baseline", file, "--write-baseline");
  const none = await check("--baseline", file, "--format", "sarif");
  expect([none.code, JSON.parse(none.out).runs[0].results]).toEqual([0, []]);
});

test("Markdown mentions nobody and lets nothing act that others wrote", async () => {
  const { code, out } = await check("--format", "markdown");
  expect([code, out.split("\n")[0]]).toEqual([1, "### Ownership files: 5 new findings"]);
  const html = await marked(out);
  const outside = html.replace(/<code>.*?<\/code>/gs, "");
  expect(outside).not.toContain("@");
  expect(html).toContain("<code>src/old/ &#64;olga</code>");
  const file = join(shelf, "markdown.json");
  await check("--baseline", file, "--write-baseline");
  const none = await check("--baseline", file, "--format", "markdown");
  expect([none.code, none.out]).toEqual([
    0,
    expect.stringMatching(/: 0 new findings\n\n<p>.*<\/p>\n$/),
  ]);
});

test("who became an owner lately is not said to know nothing yet", async () => {
  const row = "/src/wide/ @gus\n";
  const before = owned({ CODEOWNERS: codeOwners.replace(row, "") });
  const after = { author: ben, at: "2026-03-03", files: { CODEOWNERS: codeOwners } };
  const moved = {
    author: ben,
    at: "2026-03-03",
    files: { CODEOWNERS: `${row}\n${codeOwners.replace(row, "")}` },
  };
  const kindsIn = async (commits: readonly InventedCommit[]) =>
    (await findings([], (await openOwners(openShop(commits))).check)).map(({ kind }) => kind);
  expect(await kindsIn([...before, after])).not.toContain("owner-stale");
  expect(await kindsIn([...shopHistory, moved])).toContain("owner-stale");
});

test("a repository without a file says what to do, and every file is judged", async () => {
  const none = await openOwners(openShop(history));
  const ran = await none.check();
  expect([ran.code, ran.err]).toEqual([4, expect.stringContaining("`roster owners propose`")]);
  const files = { "src/old/OWNERS": "approvers:\n- olga\n" };
  const other = await openOwners(openShop(owned(files)));
  expect(
    (await findings([], other.check)).map(({ kind, pattern, owner }) => [kind, pattern, owner]),
  ).toEqual([["owner-left", "/src/old", "@olga"]]);
});

test("a shallow clone is checked for what needs no history, and says so", async () => {
  const place = join(shelf, "shallow", "shop");
  git(shelf, "clone", "--quiet", "--depth=2", `file://${openShop()}`, place);
  git(place, "config", "remote.origin.url", "https://github.com/example-org/shop.git");
  const cut = await openOwners(place);
  const ran = await cut.check();
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("git fetch --unshallow")]);
  expect((await findings([], cut.check)).map((one) => one.kind)).toEqual([
    ...["line-ignored", "rule-unmatched"],
  ]);
  expect((await cut.owners("propose")).code).toBe(0);
});

test("links and submodules are what a rule may be for", async () => {
  const place = openShop();
  const index = { ...process.env, GIT_INDEX_FILE: join(shelf, "index"), GIT_DIR: place };
  const run = (...argv: string[]) => {
    const done = Bun.spawnSync(["git", ...argv], { env: index });
    if (done.exitCode !== 0) throw new Error(done.stderr.toString());
    return done.stdout.toString().trim();
  };
  const text = "/sub/ @ben\n/link @ben\n/link/ @ben\n/sub/x @ben\n";
  writeFileSync(join(shelf, "text"), text);
  const blob = run("hash-object", "-w", join(shelf, "text"));
  run("read-tree", "main");
  const head = run("rev-parse", "main");
  for (const entry of [`160000,${head},sub`, `120000,${blob},link`, `100644,${blob},CODEOWNERS`])
    run("update-index", "--add", "--cacheinfo", entry);
  const author = ["-c", "user.name=Ben Sample", "-c", "user.email=1+ben@users.noreply.github.com"];
  const commit = run(...author, "commit-tree", "-p", "main", "-m", "Link", run("write-tree"));
  run("update-ref", "refs/heads/main", commit);
  const linked = await openOwners(place, "2027-01-01");
  const found = await findings([], linked.check);
  expect(
    found.filter(({ kind }) => kind === "rule-unmatched").map(({ pattern }) => pattern),
  ).toEqual(["/sub/x"]);
});

test("propose prints what `who --format codeowners` prints", async () => {
  const { line, data, owners } = shop;
  const proposed = await owners("propose");
  expect([proposed.code, proposed.out]).toEqual([0, expect.stringContaining("+/lib/ @fay")]);
  expect(await line.run("who", "--repository", "shop", "--format", "codeowners", ...data)).toEqual(
    proposed,
  );
  expect(await owners("propose", "--limit", "1", "--without", "dan")).not.toEqual(proposed);
});

test("what only Roster does not read is not called ignored, and a fingerprint is of no line", async () => {
  const long = `/src/${"x".repeat(300)}*/ @ben`;
  const text = `${long}\n* @not/a/@team\n${codeOwners}`;
  const more = { author: ben, at: "2026-03-04", files: { CODEOWNERS: text } };
  const later = await openOwners(openShop([...shopHistory, more]));
  const found = await findings([], later.check);
  const ignored = found.filter(({ kind }) => kind === "line-ignored");
  expect(ignored.map(({ line, pattern }) => [line, pattern])).toEqual([
    [2, "*"],
    [8, "!src/pay/x.ts"],
  ]);
  const printsOf = async (run: typeof check) =>
    JSON.parse((await run("--format", "sarif")).out).runs[0].results.map(
      (one: { partialFingerprints: object }) => JSON.stringify(one.partialFingerprints),
    );
  expect(await printsOf(later.check)).toEqual(expect.arrayContaining(await printsOf(check)));
});

test("what cannot be is said", async () => {
  for (const [code, argv, text] of [
    [2, ["--format", "text", "--json"], "cannot be used together"],
    [2, ["--format", "xml"], "xml"],
    [2, ["--active-since", "soon"], "activeSince"],
    [2, ["--active-since", "2026-03-05"], "activeSince must be 2026-03-04 or earlier"],
  ] as const) {
    const ran = await check(...argv);
    expect([argv, ran.code, ran.err]).toEqual([argv, code, expect.stringContaining(text)]);
  }
  const { line, data } = shop;
  const nameless = await line.run("owners", "check", ...data);
  expect([nameless.code, nameless.err]).toEqual([2, expect.stringContaining("--repository")]);
  const absent = await line.run("owners", "check", "--repository", "shpo", ...data);
  expect([absent.code, absent.err]).toEqual([4, expect.stringContaining("did you mean")]);
  const gitea = await openOwners(
    openShop(shopHistory, "https://codeberg.org/example-org/shop.git"),
  );
  const refused = await gitea.check();
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("regular expressions")]);
});

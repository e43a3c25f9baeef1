/** Since when and until when a repository had a package, and that it counts in those commits only. */
import { describe, expect, test } from "bun:test";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { readMetadata } from "../../../../src/ingest/git/ledger/histories.ts";
import { listLocations } from "../../../../src/ingest/git/ledger/locations.ts";
import { ada, ben, git, type InventedCommit, openInventor } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";
import { read } from "../read.ts";

const invent = openInventor();

const manifest = (...names: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "1"])) });
const plain = "export const a = 1;\n";
const withReact = 'import React from "react";\n';

/** The months of a package that an author's commits import. */
async function imported(commits: readonly InventedCommit[], name = "Ada Example") {
  const { people } = await read([invent(commits)]);
  const evidence = people.find(({ profile }) => profile.name === name)?.evidence ?? [];
  return Object.fromEntries(
    evidence.filter(({ kind }) => kind === "import").map(({ name, months }) => [name, months]),
  );
}

describe("with manifests", () => {
  test.each<[string, InventedCommit[], Record<string, number>]>([
    [
      "a package counts from the commit that added it, not in all history of the file",
      [
        { author: ada, at: "2020-01-01", files: { "a.ts": plain } },
        { author: ada, at: "2021-01-01", files: { "a.ts": `${plain}${plain}` } },
        { author: ben, at: "2022-01-01", files: { "package.json": manifest("react") } },
        { author: ada, at: "2023-01-01", files: { "a.ts": withReact } },
      ],
      { "2023-01": 1 },
    ],
    [
      "a package that is needed for development only opens the window too",
      [
        { author: ada, at: "2020-01-01", files: { "a.ts": plain } },
        { at: "2022-01-01", files: { "package.json": '{"devDependencies":{"react":"1"}}' } },
        { author: ada, at: "2023-01-01", files: { "a.ts": withReact } },
      ],
      { "2023-01": 1 },
    ],
    [
      "a package that left counts up to the commit that removed it",
      [
        { author: ben, at: "2020-01-01", files: { "package.json": manifest("react") } },
        { author: ada, at: "2021-01-01", files: { "a.ts": withReact } },
        { author: ben, at: "2022-01-01", files: { "package.json": manifest("other") } },
        { author: ada, at: "2023-01-01", files: { "a.ts": `// Left.\n${withReact}` } },
      ],
      { "2021-01": 1 },
    ],
  ])("%s", async (_, commits, months) => {
    expect(await imported(commits)).toEqual({ "npm:react": months });
  });

  test("where code has other names than manifests, a package of the same skill opens the window", async () => {
    const pom = (name: string) =>
      `<dependency><groupId>${name}</groupId><artifactId>x</artifactId></dependency>`;
    const vocabulary = {
      pathClasses: () => [],
      textSkills: () => [],
      subjectsOf: () => [],
      subjectNames: () => [],
      skillById: () => undefined,
      packageSkill: (ecosystem: string, name: string) =>
        ecosystem === "maven" && /junit/.test(name)
          ? { id: "junit", name: "JUnit", type: "tool" as const, aliases: [] }
          : undefined,
    };
    const path = invent([
      { author: ada, at: "2020-01-01", files: { "A.java": "class A {}\n" } },
      { author: ben, at: "2022-01-01", files: { "pom.xml": pom("junit") } },
      { author: ada, at: "2023-01-01", files: { "A.java": "import org.junit.Test;\n" } },
    ]);
    const { person } = await read([path], { vocabulary });
    const [first] = person("Ada Example").evidence.filter(({ kind }) => kind === "import");
    expect(first?.months).toEqual({ "2023-01": 1 });
  });

  test("a package that arrives later changes nobody who left before", async () => {
    const first = { "src/a.ts": plain, "package.json": manifest("other") };
    const before: InventedCommit[] = [
      { author: ada, at: "2019-01-01", files: first },
      { author: ada, at: "2019-06-01", files: { "src/a.ts": `${plain}// More.\n` } },
      { author: ben, at: "2019-07-01", files: { "src/b.ts": plain } },
    ];
    const after: InventedCommit[] = [
      ...before,
      { author: ben, at: "2024-01-01", files: { "package.json": manifest("other", "react") } },
      { author: ben, at: "2024-02-01", files: { "src/a.ts": withReact, "src/b.ts": withReact } },
    ];
    const ofAda = async (commits: readonly InventedCommit[]): Promise<Facts> =>
      (await read([invent(commits)])).person("Ada Example");
    const [one, other] = [await ofAda(before), await ofAda(after)];
    expect(other.evidence).toEqual(one.evidence);
  });
});

describe("without manifests", () => {
  const history: readonly InventedCommit[] = [
    { author: ada, at: "2018-01-01", files: { "old.ts": plain } },
    { author: ada, at: "2019-01-01", files: { "old.ts": `${plain}// 2\n`, "late.ts": plain } },
    { author: ada, at: "2020-01-01", files: { "old.ts": `${withReact}// 3\n` } },
    { author: ada, at: "2021-01-01", rename: ["old.ts", "web/with space.ts"] },
    { author: ada, at: "2022-01-01", files: { "late.ts": withReact } },
    { author: ben, at: "2023-01-01", files: { "late.ts": `// 4\n${withReact}` } },
  ];

  test("the oldest version of any file that imports the package dates it, under any name of the file", async () => {
    expect(await imported(history)).toEqual({
      "npm:react": { "2020-01": 1, "2021-01": 1, "2022-01": 1 },
    });
  });

  test("a file that was older and imported it earlier is found behind one that came first", async () => {
    const found = await imported([
      { author: ada, at: "2018-01-01", files: { "a.ts": plain, "b.ts": plain } },
      { author: ada, at: "2019-01-01", files: { "b.ts": withReact } },
      { author: ada, at: "2020-01-01", files: { "a.ts": withReact } },
    ]);
    expect(found).toEqual({ "npm:react": { "2019-01": 1, "2020-01": 1 } });
  });

  test("the dates do not depend on the number of runs", async () => {
    const path = invent([
      ...history,
      { author: ben, at: "2023-02-01", files: { "package.json": manifest("react") } },
      { author: ada, at: "2023-03-01", files: { "b.ts": withReact } },
      { author: ben, at: "2023-04-01", files: { "package.json": manifest("other") } },
      { author: ben, at: "2017-01-01", files: { "c.ts": withReact } },
    ]);
    const shas = git(path, "rev-list", "--reverse", "HEAD").toString().trim().split("\n");
    const [parts, whole] = [openData(), openData()];
    for (const sha of shas) {
      git(path, "update-ref", "refs/heads/main", sha);
      await parts.ingest([path]);
    }
    await whole.ingest([path]);
    const metadata = ({ ledger }: typeof parts) =>
      readMetadata(ledger.sqlite, listLocations(ledger)[0]?.id ?? 0).windows;
    expect(metadata(parts)).toEqual(metadata(whole));
    expect(await parts.exported()).toBe(await whole.exported());
  });
});

test("imports of copied, generated and documentation files are no evidence", async () => {
  const found = await imported([
    {
      author: ada,
      files: {
        "node_modules/a/index.js": withReact,
        "vendor/b.js": withReact,
        "docs/examples/c.ts": withReact,
        "examples/d.ts": withReact,
        "src/e_pb.js": `${"//\n".repeat(5)}// GENERATED CODE -- DO NOT EDIT!\n${withReact}`,
        "dist/f.min.js": withReact,
        "src/g.py": "import django\n",
      },
    },
  ]);
  expect(Object.keys(found)).toEqual(["pypi:django"]);
});

/** Who brought a package in, through git itself. */
import { expect, test } from "bun:test";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";
import { ada, ben, type InventedCommit, openInventor } from "../invented-repository.ts";
import { read, vocabulary } from "../read.ts";

const invent = openInventor();

async function manifestsOf(commits: readonly InventedCommit[], tools: readonly string[] = []) {
  const { people } = await read([invent(commits)], {
    vocabulary: {
      ...vocabulary,
      packageSkill: (ecosystem, name) => {
        const skill = vocabulary.packageSkill(ecosystem, name);
        return skill && tools.includes(name) ? { ...skill, type: "tool" } : skill;
      },
    },
  });
  return people.flatMap(({ profile, evidence }) =>
    evidence
      .filter(({ kind }) => kind === "manifest")
      .map(({ name, commits: count }) => `${profile.name}: ${name} ${count}`),
  );
}

const manifest = (fields: object) => ({ "package.json": JSON.stringify(fields, null, 1) });
const plain = manifest({ name: "app", version: "1.0.0" });
const withReact = { name: "app", version: "1.0.0", dependencies: { react: "18" } };

test("a package counts for whoever added it, and for nobody who edits the manifest later", async () => {
  const found = await manifestsOf([
    { author: ada, files: plain },
    { author: ben, files: manifest(withReact) },
    { author: ada, files: manifest({ ...withReact, version: "1.1.0" }) },
    { author: ada, files: manifest({ ...withReact, dependencies: { react: "19" } }) },
    { author: ada, files: plain },
  ]);
  expect(found).toEqual(["Ben Sample: npm:react 1"]);
});

test("a package that left and came back counts for whoever brought it back, a moved manifest for nobody", async () => {
  const found = await manifestsOf([
    { author: ada, files: manifest(withReact) },
    { author: ada, files: plain },
    { author: ben, files: manifest(withReact) },
    { author: ada, rename: ["package.json", "web/package.json"] },
  ]);
  expect(found.sort()).toEqual(["Ada Example: npm:react 1", "Ben Sample: npm:react 1"]);
});

test("of what is needed to develop only tools count", async () => {
  const commits = [{ author: ada, files: manifest({ devDependencies: { react: "18" } }) }];
  expect(await manifestsOf(commits)).toEqual([]);
  expect(await manifestsOf(commits, ["react"])).toEqual(["Ada Example: npm:react 1"]);
});

test("a tool's file counts for whoever adds an entry or gives it another version, not for other edits", async () => {
  const found = await manifestsOf([
    { author: ada, files: { Dockerfile: "FROM postgres:15\n" } },
    { author: ben, files: { Dockerfile: "FROM postgres:15\nRUN true\n" } },
    { author: ben, files: { Dockerfile: "FROM postgres:16\nRUN true\n" } },
    { author: ben, files: { Dockerfile: "FROM postgres:16\n" } },
  ]);
  expect(found.sort()).toEqual(["Ada Example: docker:postgres 1", "Ben Sample: docker:postgres 1"]);
});

test("a workflow edited by somebody adds no provider's skill", async () => {
  const workflow = (script: string) =>
    `jobs:\n  a:\n    steps:\n      - uses: aws-actions/configure-aws-credentials@v4\n      - run: ${script}\n`;
  const path = invent([
    { author: ada, files: { ".github/workflows/ci.yml": workflow("one") } },
    { author: ben, files: { ".github/workflows/ci.yml": workflow("two") } },
    { author: ben, rename: [".github/workflows/ci.yml", ".github/workflows/main.yml"] },
  ]);
  const { person } = await read([path], { vocabulary: createVocabulary() });
  const of = (name: string) => person(name).evidence.map(({ kind, name }) => `${kind} ${name}`);
  expect(of("Ada Example")).toContain("manifest actions:aws-actions/configure-aws-credentials");
  expect(of("Ben Sample").filter((each) => !each.startsWith("product"))).toEqual([
    "path ci",
    "path github-actions",
  ]);
});

test("resources and modules of Terraform are entries of their provider", async () => {
  const one = 'resource "aws_s3_bucket" "one" {\n}\n';
  const path = invent([
    { author: ada, files: { "main.tf": one } },
    { author: ben, files: { "main.tf": one.replace("{", '{\n  bucket = "b"') } },
    {
      author: "Cara Third <cara@example.net>",
      files: { "main.tf": `${one}${one.replace("one", "two")}` },
    },
  ]);
  const { people } = await read([path], { vocabulary: createVocabulary() });
  const found = people.filter(({ evidence }) =>
    evidence.some(({ name }) => name === "terraform:aws"),
  );
  expect(found.map(({ profile }) => profile.name).sort()).toEqual(["Ada Example", "Cara Third"]);
});

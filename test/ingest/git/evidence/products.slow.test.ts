/** What a repository makes is a skill of those who write it, and what is prose is writing. */
import { describe, expect, test } from "bun:test";
import { countMakersFrom } from "../../../../src/ingest/git/describe/describe.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";
import { ada, ben, type InventedCommit, openInventor } from "../invented-repository.ts";
import { read } from "../read.ts";

const invent = openInventor();
const vocabulary = createVocabulary();

/** What an author's commits are evidence of, of one kind. */
async function evidenceOf(
  kind: string,
  commits: readonly InventedCommit[],
  { of = "Ada Example", at = "owner+gadget.git" } = {},
) {
  const { people } = await read([invent(commits, at)], { vocabulary });
  const found = people.find(({ profile }) => profile.name === of)?.evidence ?? [];
  return found.filter((piece) => piece.kind === kind).map(({ name }) => name);
}

const source = "export const a = 1;\n";
const prose = "People write whole sentences here, and lines of them.\n".repeat(60);

describe("the product of a repository", () => {
  const products = (files: Record<string, string>, at?: string) =>
    evidenceOf("product", [{ author: ada, files }], at ? { at } : {});

  test("is its name and the package that its manifest states", async () => {
    const files = { "src/a.ts": source, "package.json": '{"name":"@owner/gadget"}' };
    expect(await products(files, "owner+gadget.git")).toEqual([
      "npm:@owner/gadget",
      "repository:gadget",
    ]);
  });

  test("has no author of what its tests read", async () => {
    const files = {
      "t/data/model.f90": "end program\n",
      "tests/x/mocks/a.py": "a = 1\n",
      "a.go": "package a\n",
    };
    expect(await evidenceOf("language", [{ author: ada, files }])).toEqual(["Go"]);
  });

  test("was never in a language that it has not, where the file got another ending", async () => {
    const perl = 'use strict;\nprint "hello";\n'.repeat(20);
    const commits: InventedCommit[] = [
      { author: ada, files: { "scripts/a.PLS": perl } },
      { author: ben, rename: ["scripts/a.PLS", "scripts/a.pl"] },
    ];
    expect(await evidenceOf("language", commits)).toEqual(["Perl"]);
  });

  test("has its owner's name too where many repositories have that name", async () => {
    expect(await products({ "a.ts": source }, "owner+notebook.git")).toEqual([
      "repository:owner/notebook",
    ]);
    expect(await products({ "a.ts": source }, "website.git")).toEqual([]);
  });

  /** Three commits to the source: as few as make somebody one of a small project's makers. */
  const makers = (files: Record<string, string>, author = ada) =>
    [1, 2, 3].map((at) => ({ author, files: { ...files, "src/game.ts": source.repeat(at) } }));
  /** Three commits of prose to one file. */
  const grow = (path: string, files: Record<string, string> = {}) =>
    [1, 2, 3].map((at) => ({ author: ada, files: { ...files, [path]: prose.repeat(at) } }));
  const subjects = async (commits: readonly InventedCommit[], of?: string) => {
    const found = await evidenceOf("product", commits, of ? { of } : {});
    return found.filter((name) => /^(subject|claimed|book):/.test(name));
  };

  test("is about what its README says at the beginning", async () => {
    const readme =
      "# Gadget\n\nA game engine for small games, in Rust and Docker. MIT, open source.\n";
    expect(await subjects(makers({ "README.md": readme }))).toEqual(["subject:game-development"]);
    const withEmpty = makers({ README: "", "README.md": readme });
    expect(await subjects(withEmpty)).toEqual(["subject:game-development"]);
    const ofForge = makers({ ".github/README.md": readme });
    expect(await subjects(ofForge)).toEqual(["subject:game-development"]);
  });

  test("is only claimed to be about what no path of its source names", async () => {
    const files = { "README.md": "# Gadget\n\nGadget is a password manager.\n" };
    expect(await subjects(makers(files))).toEqual(["claimed:security"]);
    expect(await subjects(makers({ ...files, "src/securityChecks.ts": source }))).toEqual([
      "subject:security",
    ]);
    const mention = {
      "README.md": "# Gadget\n\nGadget is I2P. Its tunnels hide who asks for a page.\n",
    };
    expect(await subjects(makers(mention))).toEqual([]);
    expect(await subjects(makers({ ...mention, "src/Tunnel.ts": source }))).toEqual([
      "claimed:networking",
    ]);
    // Files show languages better than sentences about examples.
    const shell = { "README.md": "# Gadget\n\nScript examples below are for the bash shell.\n" };
    expect(await subjects(makers({ ...shell, "tools/shell.ts": source }))).toEqual([]);
  });

  test("is about the host that it extends, in the project of the manifest", async () => {
    const plugins: [string, string][] = [
      ["public/manifest.json", '{"manifest_version": 3}'],
      ["manifest.json", '{"name": "Gadget", "start_url": "/"}'],
      ["package.json", '{"engines": {"node": "22", "vscode": "^1.90.0"}}'],
      ["build.properties", "source.. = src/\nbin.includes = META-INF/,.\n"],
      ["src/main/resources/META-INF/plugin.xml", "<idea-plugin>\n</idea-plugin>\n"],
      ["core/build.properties", "bin.includes = META-INF/,.\n"],
    ];
    const found = plugins.map(async ([path, text]) => subjects(makers({ [path]: text })));
    expect(await Promise.all(found)).toEqual([
      ...[["subject:chrome-extension"], [], ["subject:vscode"]],
      ...[["subject:eclipse-ide"], ["subject:intellij"], []],
    ]);
  });

  test("is not about its subject in a small part that is in another language", async () => {
    const files = {
      "README.md": "# Gadget\n\nA game engine for small worlds.\n",
      "src/a.ts": source.repeat(50),
    };
    const binding = [1, 2, 3].map((at) => ({
      author: ben,
      files: { "python/game.py": "a = 1\n".repeat(at) },
    }));
    const commits = [...makers(files), ...binding];
    expect(await subjects(commits)).toEqual(["subject:game-development"]);
    expect(await subjects(commits, "Ben Sample")).toEqual([]);
  });

  test("is about something for those who make it, not for everybody who fixed a line", async () => {
    const files = { "README.md": "# Gadget\n\nA game engine for small worlds.\n" };
    const fixed = { author: ben, files: { "src/b.ts": source } };
    const commits = [...makers(files), fixed];
    expect(await subjects(commits)).toEqual(["subject:game-development"]);
    expect(await subjects(commits, "Ben Sample")).toEqual([]);
    expect(await subjects([...commits, ...makers({}, ben)], "Ben Sample")).toEqual([
      "subject:game-development",
    ]);
    // Who only edits the README writes no game.
    const words = [1, 2, 3].map((at) => ({ author: ben, files: { "README.md": `${at}` } }));
    const last = { author: ada, files };
    expect(await subjects([...makers(files), ...words, last], "Ben Sample")).toEqual([]);
  });

  test("is made by those with ten commits, or half a percent in a smaller one", () => {
    const of = [0, 1, 799, 800, 1999, 2000, 1e6].map(countMakersFrom);
    expect(of).toEqual([3, 3, 3, 4, 9, 10, 10]);
  });

  test("has chapters named README as its source, and their markup as a skill", async () => {
    const files = { "README.md": "# Tutorial\n", "SUMMARY.md": "# Summary\n" };
    const found = await evidenceOf("path", grow("start/README.md", files));
    expect(found).toContain("prose");
    expect(found).toContain("markdown");
    expect(await evidenceOf("path", grow("README.md"))).not.toContain("markdown");
  });

  test("that is a book is about what its title says too", async () => {
    const files = { "README.md": "# The Rust Programming Language\n", "book.toml": "" };
    expect(await subjects(grow("src/ch01.md", files))).toContain("book:rust");
  });

  const pom = (id: string) => `<groupId>${id}</groupId><artifactId>${id}</artifactId>`;
  const parent = `<parent>${pom("a.b")}</parent><artifactId>c</artifactId>`;
  const dependency = `<dependencies><dependency>${pom("d")}</dependency></dependencies>`;
  test.each([
    ["pyproject.toml", '[project]\nname = "My_Tool"\n', "pypi:my-tool"],
    ["setup.py", 'setup(name="my.tool", version="1")\n', "pypi:my-tool"],
    ["setup.cfg", "[metadata]\nname = my-tool\n", "pypi:my-tool"],
    ["Cargo.toml", '[package]\nname = "my-tool"\n', "cargo:my-tool"],
    ["go.mod", "module example.com/my/tool/v2\n\ngo 1.22\n", "go:example.com/my/tool/v2"],
    ["pom.xml", `<project>${parent}${dependency}</project>`, "maven:a.b:c"],
    ["my.gemspec", 'Gem::Specification.new do |s|\n  s.name = "a-tool"\nend\n', "rubygems:a-tool"],
    ["composer.json", '{"name":"my/tool-kit"}', "composer:my/tool-kit"],
    ["My.Tool.csproj", '<Project Sdk="x"></Project>', "nuget:My.Tool"],
    ["mix.exs", "def project do\n  [app: :my_tool]\nend\n", "hex:my_tool"],
    ["pubspec.yaml", "name: my_tool\n", "pub:my_tool"],
  ])("is read from %s", async (path, text, expected) => {
    expect(await products({ "a.ts": source, [path]: text })).toContain(expected);
  });

  test("of a folder counts for files in it, when the vocabulary knows it", async () => {
    const files = {
      "packages/react/package.json": '{"name":"react"}',
      "packages/react/index.ts": source,
      "packages/helper/package.json": '{"name":"a-helper-nobody-knows"}',
      "packages/helper/index.ts": source,
    };
    expect(await products(files, "owner+all.git")).toEqual(["npm:react", "repository:all"]);
    const elsewhere = [
      { author: ben, files },
      { author: ada, files: { "packages/helper/index.ts": `${source}// More.\n` } },
    ];
    expect(await evidenceOf("product", elsewhere, { at: "owner+both.git" })).toEqual([
      "repository:both",
    ]);
  });

  test("is not made by documentation, copies and configuration", async () => {
    const files = {
      "README.md": prose,
      "docs/example.ts": source,
      "node_modules/a/index.js": source,
      "config.yml": "a: 1\n",
    };
    expect(await products({ ...files })).toEqual([]);
  });
});

describe("prose", () => {
  const classes = (commits: readonly InventedCommit[]) => evidenceOf("path", commits);

  test("Markdown of a book makes its authors writers, and the book is their product", async () => {
    const files = {
      "book.toml": "[book]\n",
      "src/SUMMARY.md": "# Summary\n",
      "src/one.md": prose,
      "theme/a.js": source,
    };
    const book = [
      { author: ada, files },
      { author: ben, files: { "theme/a.js": `${source}//\n` } },
    ];
    expect(await classes(book)).toContain("prose");
    expect(await evidenceOf("product", book, { at: "owner+tome.git" })).toEqual([
      "repository:tome",
    ]);
    expect(await evidenceOf("path", book, { of: "Ben Sample" })).not.toContain("prose");
  });

  test("a repository of texts is prose without any book's files, a README is none", async () => {
    const withCode = (path: string) =>
      classes([{ author: ada, files: { [path]: prose, "a.ts": source } }]);
    expect(await withCode("text/one.md")).toContain("prose");
    expect(await withCode("README.md")).not.toContain("prose");
  });

  test("counts only where it carries most of the lines of a commit", async () => {
    const code = source.repeat(400);
    const files = { "src/a.ts": code, "docs/guide.md": prose };
    expect(await classes([{ author: ada, files }])).not.toContain("prose");
    const manual = [
      { author: ben, files },
      { author: ada, files: { "docs/guide.md": `${prose}More.\n` } },
    ];
    expect(await classes(manual)).toContain("prose");
  });
});

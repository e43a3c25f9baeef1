/** The proposed mailmap: what it joins and what it leaves apart, applied by git itself, which counts authors before and after. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ada, ben, git, inventRepository, run } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const at = (...path: string[]) => join(line.folder, "..", ...path);
afterAll(() => line.close());

/** Makes a clone with a commit of each author, oldest first, and reads it. */
async function read(
  name: string,
  authors: readonly (string | Buffer)[],
  mailmap?: string,
): Promise<string> {
  const commits = authors.map((author, number) => ({
    author,
    files: {
      [`${name}-${number}.js`]: `const value = "${name} ${number}";\n`,
      ...(mailmap !== undefined && number === 0 && { ".mailmap": mailmap }),
    },
    message: `Change ${name} ${number}`,
  }));
  inventRepository(at(`${name}.git`), commits);
  git(at(), "clone", "--quiet", at(`${name}.git`), at(name));
  expect((await line.run("ingest", "git", at(name), ...data)).code).toBe(0);
  return at(name);
}

const commitAs = (clone: string, name: string, email: string) =>
  git(clone, "-c", `user.name=${name}`, "-c", `user.email=${email}`, "commit", "-qm", "a");

/** Authors of one name, one for each address. */
const by = (name: string, ...emails: string[]) => emails.map((email) => `${name} <${email}>`);

const propose = (name: string) => line.run("mailmap", "--repository", name, ...data);
const listRows = (diff: string) =>
  diff
    .split("\n")
    .filter((row) => row.startsWith("+") && !row.startsWith("+++"))
    .map((row) => row.slice(1));
const countAuthors = (clone: string) =>
  git(clone, "shortlog", "-sne", "HEAD").toString("latin1").trimEnd().split("\n").length;

/** Applies the proposal, and holds git's figures against those of the command. */
async function apply(name: string): Promise<readonly string[]> {
  const before = countAuthors(at(name));
  const { code, out, err } = await propose(name);
  expect(code).toBe(0);
  run(at(name), ["apply", "-"], Buffer.from(out));
  expect(err).toContain(`shows ${countAuthors(at(name))} authors instead of ${before}.\n`);
  return listRows(out);
}

test("each person is shown once, by names and addresses that history has", async () => {
  const clone = await read("tool", [
    ...["aexample <ada@example.com>", "Ada Example <ada@old.example.com>", ada, ada],
    ...["Ada Example <7+aexample@users.noreply.github.com>", ben],
    ...["Ben B. Sample <ben@example.org>", "Cara Third <CARA@Example.net>"],
    ...["Cara Third <cara@example.net>", "Cara Third <cara@example.net>"],
  ]);
  expect(await apply("tool")).toEqual([
    "Ada Example <ada@example.com>",
    "Ada Example <ada@example.com> <7+aexample@users.noreply.github.com>",
    "Ada Example <ada@example.com> <ada@old.example.com>",
    "Ben B. Sample <ben@example.org>",
    "Cara Third <cara@example.net> <CARA@Example.net>",
  ]);
  expect(countAuthors(clone)).toBe(3);
  git(clone, "add", ".mailmap");
  commitAs(clone, "Ada Example", "ada@example.com");
  await line.run("ingest", "git", clone, ...data);
  const again = await propose("tool");
  expect(again).toMatchObject({ code: 0, out: "" });
  expect(again.err).toContain("Nothing to propose");
});

test("two people never share a row", async () => {
  await read("shared", [
    // An address of everybody, and one of strangers.
    ...by("Dora Fourth", "root@localhost", "dora@example.com"),
    ...by("Emil Fifth", "root@localhost", "emil@example.com"),
    ...["Fritz Sixth", "Gerda Last", "desk", "desk", "desk"].flatMap((name) =>
      by(name, "desk@example.com"),
    ),
    // Programmers in pairs, who would connect everybody.
    ...by("Hugo Eighth and Ida Ninth", "pair+hugo+ida@example.com"),
    ...by("Hugo Eighth", "hugo@example.com"),
    ...by("Hugo Eighth and Ida Ninth", "hugo@example.com", "ida@example.com"),
    ...by("Ida Ninth", "ida@example.com"),
    ...by("ida", "ida@example.com"),
    // A machine is no person.
    ...by("deploy[bot]", "deploy@build.example.com", "Deploy@build.example.com"),
  ]);
  expect(await apply("shared")).toEqual([
    "Dora Fourth <dora@example.com> Dora Fourth <root@localhost>",
    "Emil Fifth <emil@example.com> Emil Fifth <root@localhost>",
    "# perhaps: desk <desk@example.com>",
  ]);
});

const kept = [
  "# People, by hand\r",
  "Kai Tenth <kai@new.example.com> <kai@example.com>\r",
  "Lena Twelfth <lena@example.com>\r",
  "Paul Proper <paul@example.com>\r",
  "Mona One <mona@example.com> <mona@example.org>\r",
  "Mona One <mona@example.net> <m@example.net>\r",
  "# two people: Nora Last <nora@example.com> <nlast@example.org>",
];

test("an existing mailmap stays, is extended, and is never contradicted", async () => {
  const authors = [
    ...by("Kai Tenth", "kai@example.com", "kai@old.example.com", "kai@old.example.com"),
    ...by("lena", "lena@example.com"),
    ...by("Lena Twelfth", "lena@example.org", "lena@example.org"),
    ...by("Mona One", "mona@example.org", "m@example.net", "mona@example.io"),
    ...by("Paul Proper", "paul@example.com", "paul@example.org", "paul@example.org"),
    ...["nlast <nlast@example.org>", "Nora Last <nora@example.com>"],
  ];
  const clone = await read("kept", authors, kept.join("\n"));
  expect(await apply("kept")).toEqual([
    // Git shows a last line without an end as changed.
    kept.at(-1) ?? "",
    "Kai Tenth <kai@new.example.com> <kai@old.example.com>\r",
    "Lena Twelfth <lena@example.com> <lena@example.org>\r",
    "Paul Proper <paul@example.com> <paul@example.org>\r",
  ]);
  expect(readFileSync(join(clone, ".mailmap"), "latin1")).toStartWith(`${kept.join("\n")}\n`);
  expect((await propose("kept")).err).toContain("People left out: 1.");
});

test("names and addresses of any bytes give rows that git reads, or none", async () => {
  const long = "Otto Thirteenth ".repeat(80).trim();
  const clone = await read("odd", [
    ...["# Pia Hash <pia@example.com>", "pia <pia@example.com>", "pia <pia@example.org>"],
    ...by(long, "otto@example.com", "otto@example.org"),
    ...["Rosa\u00a0Fourteen <rosa@example.com>", "Rosa Fourteen <rosa@example.org>"],
    ...["  Rosa Fourteen  <rosa@example.net>", " <nameless@example.com>"],
    ...by("Somebody Else", "", "else@example.com"),
    ...by("Tilda Accent", "TILDA@EXAMPLE.COM"),
    ...by("TILDA ACCENT", "tilda@example.com"),
    ...by("Tilda Accent", "tilda@example.com"),
    ...by('O\'Name, "Uwe"', "uwe@example.com"),
    ...["\u202eVera Fifteen <vera@example.com>", "Vera Fifteen <vera@example.com>"],
    Buffer.from("J\xf6rg Sixteen <joerg@example.com>", "latin1"),
    ...["Jörg Sixteen <joerg@example.com>", "joerg <joerg@example.com>"],
  ]);
  writeFileSync(join(clone, ".gitattributes"), "* -text\n");
  const rows = await apply("odd");
  expect(rows).toContain("Tilda Accent <tilda@example.com> <tilda@example.com>");
  expect(rows).toContain("Somebody Else <else@example.com> Somebody Else <>");
  // Another spelling in bytes has the address, too.
  expect(rows).toContain("Jörg Sixteen <joerg@example.com> joerg <joerg@example.com>");
  expect(
    rows.filter((row) => /#|Otto|\u00a0|\ufffd|\xf6r/.test(row) && !row.startsWith("Jörg")),
  ).toEqual([]);
});

test("an old name is not spelled out, and who was erased does not appear", async () => {
  writeFileSync(at("aliases"), "Wilma New <wilma@example.com> Wim Old <wilma@example.org>\n");
  writeFileSync(join(line.folder, "roster.toml"), `[identity]\naliasFile = "${at("aliases")}"\n`);
  // Another repository replaces a name.
  const quinn = "Quinn New <quinn@example.com>";
  await read("open", ["Quinn Old <quinn@example.org>", quinn], `${quinn} <quinn@example.org>\n`);
  await read("private", [
    ...[quinn, quinn, "Quinn Old <quinn@example.org>", "Wilma New <wilma@example.com>"],
    ...by("Wim Old", "wilma@example.org", "wilma@example.org"),
    ...by("Xaver Gone", "xaver@example.com", "xaver@example.org", "root@localhost"),
    ...by("Yara Stays", "root@localhost", "yara@example.com"),
    ...by("Zoe Alone", "zoe@example.com"),
  ]);
  expect((await line.run("forget", "xaver@example.com", "--yes", ...data)).code).toBe(0);
  expect(await apply("private")).toEqual([
    "Quinn New <quinn@example.com> <quinn@example.org>",
    "Wilma New <wilma@example.org>",
    "Wilma New <wilma@example.org> <wilma@example.com>",
    "Yara Stays <yara@example.com> Yara Stays <root@localhost>",
  ]);
});

test("says what it cannot do, and settings of the clone change nothing", async () => {
  writeFileSync(at("other"), "Somebody <ada@example.com>\n");
  git(at("tool"), "config", "mailmap.file", at("other"));
  git(at("tool"), "config", "core.fsmonitor", `touch ${at("ran")}`);
  expect((await propose("tool")).err).toContain("Nothing to propose");
  expect(await Bun.file(at("ran")).exists()).toBe(false);
  const several = await line.run("mailmap", ...data);
  expect([several.code, several.out]).toEqual([2, ""]);
  expect(several.err).toContain("name one of these with --repository: ");
  expect(await propose("nowhere")).toMatchObject({ code: 4, out: "" });
  const remote = await line.run("mailmap", "--url", "http://localhost:1");
  expect([remote.code, remote.out]).toEqual([2, ""]);
  const clone = await read("linked", ["Ada Linked <a@example.com>", "Ada Linked <b@example.com>"]);
  symlinkSync("elsewhere", join(clone, ".mailmap"));
  git(clone, "add", ".mailmap");
  commitAs(clone, "Ada Linked", "a@example.com");
  const linked = await propose("linked");
  expect([linked.code, linked.out]).toEqual([3, ""]);
  expect(linked.err).toContain(".mailmap is not a regular file");
});

import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../../src/contract/fault.ts";
import { findRepositories } from "../../../../src/ingest/git/repository/find-repositories.ts";
import { deriveOriginFromPath, parseOriginUrl } from "../../../../src/ingest/origin.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, git, inventRepository, shortlog } from "../invented-repository.ts";
import { read } from "../read.ts";

const folder = makeFolder("git");
const at = (name: string): string => join(folder, name);
const history = [{ author: ada }, { author: ben }, { author: ada }];
const source = inventRepository(at("source.git"), history);

test("a bundle is read like the repository it was made of, without HEAD from its main branch", async () => {
  for (const ref of ["--all", "main"]) {
    const path = at(`${ref}.bundle`);
    git(source, "bundle", "create", path, ref);
    const { summary, authorsReport } = await read([path]);
    expect(summary).toMatchObject({ path, commits: 3, people: 2 });
    expect(authorsReport).toEqual(shortlog(source));
  }
});

test("repositories below a folder are found, each once, and bad ones do not stop the others", async () => {
  const shelf = at("shelf");
  inventRepository(join(shelf, "acme+tool", "repo"), history);
  inventRepository(join(shelf, "empty.git"), []);
  mkdirSync(join(shelf, "a/b"), { recursive: true });
  git(folder, "clone", "--quiet", source, join(shelf, "a/b/clone"));
  symlinkSync(shelf, join(shelf, "round-about"));
  const { summaries, refused, people } = await read([shelf, join(shelf, "acme+tool", "repo")]);
  expect(summaries.map(({ path }) => path)).toEqual([
    join(shelf, "a/b/clone"),
    join(shelf, "acme+tool/repo"),
  ]);
  expect(refused.map(({ path }) => path)).toEqual([join(shelf, "empty.git")]);
  const names = people.flatMap((facts) => facts.repositories.map(({ name }) => name));
  // Of copies with equally many commits the first by name has them.
  expect(new Set(names)).toEqual(new Set(["acme/tool"]));
});

test("links to clones and to folders of them are followed, in no circle and nothing twice", () => {
  const disk = at("disk");
  const names = ["a.git", "team/b.git", "team/deep/c.git"];
  for (const name of names) inventRepository(join(disk, name), [{ author: ada }]);
  writeFileSync(join(disk, "d.bundle"), "# v2 git bundle\n");
  const shelf = at("linked");
  mkdirSync(shelf);
  symlinkSync(join(disk, "team"), join(shelf, "team"));
  symlinkSync(join(disk, "team"), join(shelf, "team-again"));
  symlinkSync(join(disk, "a.git"), join(shelf, "a.git"));
  symlinkSync(join(disk, "d.bundle"), join(shelf, "d.bundle"));
  symlinkSync(disk, join(disk, "team/deep/round-about"));
  symlinkSync("/nowhere/at/all", join(shelf, "broken"));
  symlinkSync(shelf, at("linked-itself"));
  for (const path of [shelf, at("linked-itself")]) {
    const real = findRepositories([path, disk]).map((place) =>
      "reason" in place ? place.reason : realpathSync(place.directory),
    );
    expect(real).toEqual([...names, "d.bundle"].map((name) => join(disk, name)).sort());
  }
});

test("a clone's .git folder means the clone, mailmap included", async () => {
  const mapped = inventRepository(at("mapped.git"), [
    {
      author: "A <old@example.net>",
      files: { ".mailmap": "Ada Example <ada@example.com> <old@example.net>\n" },
    },
  ]);
  git(folder, "clone", "--quiet", mapped, at("mapped"));
  expect((await read([at("mapped/.git")])).authorsReport).toEqual([`1\t${ada}`]);
});

test("settings of a repository do not change the figures", async () => {
  const odd = inventRepository(at("odd.git"), history);
  for (const [name, value] of [
    ["core.quotePath", "true"],
    ["log.showSignature", "true"],
    ["log.follow", "true"],
    ["diff.renames", "false"],
    ["i18n.logOutputEncoding", "latin1"],
    ["format.pretty", "oneline"],
    ["color.ui", "always"],
    ["diff.noprefix", "true"],
    ["diff.orderFile", "/nonexistent"],
  ] as const) {
    git(odd, "config", name, value);
  }
  const { summary, people } = await read([odd]);
  expect(summary?.commits).toBe(3);
  expect(people.map(({ commits }) => commits?.total).sort()).toEqual([1, 2]);
});

test("mailmap: that of HEAD maps authors where the working tree has none", async () => {
  const source = inventRepository(at("mapped-source.git"), [
    { author: "xx <old@example.net>", files: { ".mailmap": `${ada} <old@example.net>\n` } },
    { author: ada },
  ]);
  for (const [name, ...options] of [
    ["no-checkout", "--no-checkout"],
    ["sparse", "--sparse"],
    ["bare", "--bare"],
    ["own"],
  ] as const) {
    const clone = at(`mapped-${name}`);
    git(folder, "clone", "--quiet", ...options, source, clone);
    if (name === "sparse") git(clone, "sparse-checkout", "set", "--no-cone", "/src");
    if (name === "own")
      writeFileSync(`${clone}/.mailmap`, "Own Name <own@example.com> <old@example.net>\n");
    const { people } = await read([clone]);
    const names = people.map(({ profile }) => profile.name).sort();
    expect([name, names]).toEqual([
      name,
      name === "own" ? ["Ada Example", "Own Name"] : ["Ada Example"],
    ]);
  }
});

test("grafts and replacements cut no history", async () => {
  const grafted = at("grafted.git");
  git(folder, "clone", "--quiet", "--bare", source, grafted);
  const tip = git(grafted, "rev-parse", "HEAD").toString();
  git(grafted, "replace", "HEAD", "HEAD~2");
  mkdirSync(join(grafted, "info"), { recursive: true });
  writeFileSync(join(grafted, "info/grafts"), tip);
  expect((await read([grafted])).summary?.commits).toBe(3);
});

test("without git there is a clear fault", () => {
  expect(read([source], { program: "" })).rejects.toThrow(Fault);
});

test("progress tells how much of how much", async () => {
  const seen: [number, number][] = [];
  await read([source], {
    onProgress: ({ commits, commitsInAll }) => seen.push([commits, commitsInAll]),
  });
  expect(seen.at(-1)).toEqual([3, 3]);
});

test("names come from the remote, else from how mirrors are laid out, else from the folder", () => {
  const tool = { name: "acme/tool", forge: "git.example.com", owner: "acme" };
  for (const url of [
    "https://git.example.com/acme/tool.git",
    "https://user:secret@git.example.com:8443/acme/tool",
    "ssh://git@git.example.com/acme/tool.git/",
    "git@git.example.com:acme/tool.git",
  ]) {
    expect(parseOriginUrl(url)).toEqual(tool);
  }
  expect(parseOriginUrl("/srv/mirrors/tool.git")).toBeUndefined();
  expect(deriveOriginFromPath("/srv/acme+tool/repo").name).toBe("acme/tool");
  expect(deriveOriginFromPath("/srv/acme+tool.git").name).toBe("acme/tool");
  expect(deriveOriginFromPath("/srv/tool.git")).toEqual({
    name: "tool",
    forge: undefined,
    owner: undefined,
  });
  expect(deriveOriginFromPath("/srv/tool.bundle").name).toBe("tool");
});

/**
 * A programmer with the executable and a clone, and nothing set up: commands answer from the history of the clone. Then what may come
 * in between: new commits, a second working tree, settings that would run programs, a cache that others could write.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ada, ben, git, inventRepository } from "../ingest/git/invented-repository.ts";
import { type Desk, isBuilt, openDesk, type Said } from "./desk.ts";

describe.skipIf(!isBuilt)("a programmer in a clone", () => {
  let desk: Desk;
  const at = (...path: string[]) => join(desk.folder, ...path);
  const cache = (...path: string[]) => at("home/.cache/roster/clones", ...path);
  const indexes = () => readdirSync(cache()).filter((name) => !name.endsWith(".json"));
  const roster = (folder: string, line: string, env = ""): Promise<Said> =>
    desk.shell(`cd ${at(folder)} && ${env} ${at("roster")} ${line}`);
  const done = async (folder: string, line: string, env = ""): Promise<Said> => {
    const said = await roster(folder, line, env);
    expect(said).toMatchObject({ exitCode: 0 });
    return said;
  };
  const logins = async (folder: string, line: string) => {
    const { stdout } = await done(folder, `${line} --json`);
    return JSON.parse(stdout).data.people.map(({ name }: { name: string }) => name);
  };
  const commit = (folder: string, path: string, author: string) => {
    mkdirSync(at(folder, path, ".."), { recursive: true });
    writeFileSync(at(folder, path), `const a = ${path.length};\n`);
    git(at(folder), "add", "--all");
    const [name = "", email = ""] = author.split(/ <|>/);
    const who = ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
    git(at(folder), ...who, "commit", "--quiet", "--message", `Change ${path}`);
  };

  beforeAll(() => {
    desk = openDesk();
    inventRepository(at("shelf/tool.git"), [
      { author: ada, files: { "src/parser/read.js": "a\n", "src/parser/text.js": "b\n" } },
      { author: ben, files: { "docs/guide.md": "# Guide\n" } },
      { author: ada, files: { "src/print.js": "c\n" } },
    ]);
    git(at("shelf"), "clone", "--quiet", at("shelf/tool.git"), at("tool"));
  });
  afterAll(() => desk?.clear());

  test("gets an answer for a path, from wherever they stand", async () => {
    const first = await done("tool", "who src/parser");
    expect(first.stderr).toStartWith(`Source: this clone, ${at("tool")}\n`);
    expect(first.stdout).toContain("Ada Example");
    expect(first.stdout).not.toContain("Ben Sample");
    const again = await done("tool/src", "who parser");
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).not.toContain("progress");
    expect((await done("tool/src/parser", "who .")).stdout).toBe(first.stdout);
    expect(await logins("tool/src", "who ../docs")).toEqual(["Ben Sample"]);
    expect(await logins("tool/src", "who ../docs/guide.md print.js")).toContain("Ada Example");
    expect(await logins("tool", "who")).toEqual(["Ada Example", "Ben Sample"]);
    expect((await roster("tool", "who ../shelf")).stderr).toContain("is outside this clone");
    expect(git(at("tool"), "status", "--porcelain", "--ignored").toString()).toBe("");
  });

  test("asks everything else in the same way", async () => {
    const found = await done("tool", "find ada --json");
    const [{ login }] = JSON.parse(found.stdout).data.results;
    for (const line of [
      ...["search Worldwide", `get ${login}`, `analyze ${login}`, `explain ${login}`],
      ...["lookup tool", "who --path docs"],
    ]) {
      const { stderr, stdout } = await done("tool", line);
      expect(stderr).toStartWith("Source: this clone, ");
      expect(stdout).not.toBe("");
    }
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const calls = [
      { id: 1, method: "initialize", params: hello },
      { id: 2, method: "tools/call", params: { name: "who_knows", arguments: { path: "docs" } } },
    ].map((call) => JSON.stringify({ jsonrpc: "2.0", ...call }));
    writeFileSync(at("calls"), `${calls.join("\n")}\n`);
    const { stdout } = await done("tool", `mcp < ${at("calls")}`);
    expect(stdout.trim().split("\n").at(-1)).toContain("Ben Sample");
  });

  test("gives git a mailmap and owners, each as a diff", async () => {
    const own = `XDG_CACHE_HOME=${at("own-cache")}`;
    git(at("shelf"), "clone", "--quiet", at("shelf/tool.git"), at("shared"));
    git(at("shared"), "remote", "set-url", "origin", "https://github.com/acme/tool.git");
    for (const n of [1, 2, 3, 4]) {
      commit("shared", `lib/${n}.js`, "Cleo Fictional <7+cleo@users.noreply.github.com>");
    }
    commit("shared", "lib/5.js", "Cleo Fictional <cleo@example.com>");
    const people = () =>
      git(at("shared"), "shortlog", "-sne", "HEAD").toString().split("\n").length - 1;
    expect(people()).toBe(4);
    expect(await done("shared", "mailmap | git apply", own)).toMatchObject({
      stderr: expect.stringContaining("shows 3 authors instead of 4"),
    });
    expect(people()).toBe(3);
    const unowned = await roster("shared", "owners check", own);
    expect([unowned.exitCode, unowned.stderr]).toEqual([4, expect.stringContaining("propose")]);
    await done("shared", "owners propose | git apply", own);
    git(at("shared"), "add", "--all");
    const who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    git(at("shared"), ...who, "commit", "-qm", "Own");
    expect(readFileSync(at("shared/.github/CODEOWNERS"), "utf8")).toContain("@cleo");
    await done("shared", "owners check", own);
  });

  test("sees new commits at once, in each working tree from one index", async () => {
    commit("tool", "src/parser/new.js", ben);
    expect(await logins("tool", "who src/parser/new.js")).toEqual(["Ben Sample"]);
    git(at("tool"), "worktree", "add", "--quiet", at("second"));
    expect(await logins("second/src", "who parser/new.js")).toEqual(["Ben Sample"]);
    expect(indexes()).toHaveLength(1);
    // In `.git` and in a bare repository there are no files to stand among.
    expect(await logins("tool/.git", "who src/parser/new.js")).toEqual(["Ben Sample"]);
    expect(await logins("shelf/tool.git", "who docs")).toEqual(["Ben Sample"]);
    expect(indexes()).toHaveLength(2);
    expect(lstatSync(cache()).mode & 0o777).toBe(0o700);
    for (const name of indexes()) expect(lstatSync(cache(name)).mode & 0o777).toBe(0o700);
  });

  test("keeps what every branch brought, and reviews what one of them changes", async () => {
    git(at("tool"), "checkout", "--quiet", "-b", "idea", "HEAD~1");
    commit("tool", "src/idea.js", "Cara Third <cara@example.net>");
    expect(await logins("tool", "who src/idea.js")).toEqual(["Cara Third"]);
    const review = await done("tool", "who --diff");
    expect(review.stderr).toStartWith(
      `Source: this clone, ${at("tool")}\nChange: 1 commit since origin/main\n`,
    );
    expect(review.stderr).toContain("can review this change");
    expect(review.stdout).not.toContain("Cara Third");
    expect(review.stdout).toContain("Ada Example");
    git(at("tool"), "checkout", "--quiet", "main");
    for (const branch of ["idea", "main"]) {
      git(at("tool"), "checkout", "--quiet", branch);
      const { stdout } = await done("tool", "who src --json");
      // Each commit once, whichever branch is read.
      expect(JSON.parse(stdout).data.commits).toBe(4);
    }
    const unpushed = await done("tool", "who --diff");
    expect(unpushed.stderr).toStartWith(
      `Source: this clone, ${at("tool")}\nChange: 1 commit since origin/main\n`,
    );
    expect((await roster("home", "who --diff")).exitCode).toBe(4);
  });

  test("prefers what is named, then a data folder that lies there", async () => {
    const { stderr } = await roster("tool", "who src --data ../none");
    expect(stderr).toContain("../none holds no Roster data");
    expect((await roster("tool", "who src", "ROSTER_DATA=../none")).stderr).toContain("../none");
    const key = `rst_${"x".repeat(49)}`;
    const url = `ROSTER_API_KEY=${key} ROSTER_URL=http://127.0.0.1:1`;
    expect((await roster("tool", "who src", url)).stderr).toContain("ROSTER_API_KEY");
    await done("shelf", "ingest git tool.git --data ../tool/roster-data");
    expect((await done("tool", "who docs")).stderr).toStartWith(
      "Source: the data folder ./roster-data",
    );
    rmSync(at("tool/roster-data"), { recursive: true });
    const outside = await roster("home", "who src");
    expect(outside).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("roster ingest git PATH"),
    });
  });

  test("forgets somebody for good, also when the cache is cleared", async () => {
    const found = JSON.parse((await done("tool", "find ben --json")).stdout);
    await done("tool", `forget ${found.data.results[0].login} --yes`);
    expect(await logins("tool", "who")).toEqual(["Cara Third", "Ada Example"]);
    const cleared = await done("tool", "cache clear");
    expect(cleared.stderr).toContain(
      "1 removed.\nNot removed, because a person was erased from it:",
    );
    commit("tool", "docs/more.md", ben);
    expect(await logins("tool", "who")).toEqual(["Cara Third", "Ada Example"]);
    expect((await done("tool", "cache")).stdout).toContain(at("tool/.git"));
  });

  test("has nothing to fear of the settings of a clone, nor of a cache that is a link", async () => {
    const mark = at("ran");
    const settings = ["fsmonitor", "hooksPath", "pager", "sshCommand"].map((key) => `core.${key}`);
    git(at("shelf"), "clone", "--quiet", at("shelf/tool.git"), at("odd"));
    for (const setting of [...settings, "diff.external"])
      git(at("odd"), "config", setting, `touch ${mark}`);
    writeFileSync(
      at("evil"),
      `[core]\n\tfsmonitor = touch ${mark}\n[alias]\n\trev-parse = !touch ${mark}\n`,
    );
    git(at("odd"), "config", "include.path", at("evil"));
    writeFileSync(at("odd/.gitattributes"), "* diff=odd filter=odd\n");
    git(at("odd"), "config", "diff.odd.textconv", `touch ${mark}`);
    git(at("odd"), "config", "filter.odd.clean", `touch ${mark}`);
    expect(await logins("odd", "who docs")).toEqual(["Ben Sample"]);
    expect(existsSync(mark)).toBe(false);
    const [odd = ""] = indexes().filter((name) => name.startsWith("odd-"));
    renameSync(cache(odd), at("elsewhere"));
    symlinkSync(at("elsewhere"), cache(odd));
    const refused = await roster("odd", "who docs");
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining("XDG_CACHE_HOME"),
    });
    expect(await done("odd", "who docs", `XDG_CACHE_HOME=${at("other")}`)).toBeDefined();
  });

  test("is told what an empty clone lacks, and may start twice at once", async () => {
    mkdirSync(at("empty"));
    git(at("empty"), "init", "--quiet");
    const empty = await roster("empty", "who");
    expect(empty).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("it is empty") });
    rmSync(at("other"), { recursive: true });
    const env = `XDG_CACHE_HOME=${at("other")}`;
    const both = await Promise.all([
      roster("odd", "who docs", env),
      roster("odd", "who docs", env),
    ]);
    const answers = both.filter(({ exitCode }) => exitCode === 0);
    expect(answers.length).toBeGreaterThan(0);
    for (const { exitCode, stderr } of both)
      if (exitCode !== 0) expect(stderr).toMatch(/another|Another|in use/);
  });
});

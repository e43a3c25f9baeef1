import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ForgeRepository } from "../../../src/ingest/forges/forge.ts";
import { mirrorRepositories } from "../../../src/ingest/mirrors/mirror-repositories.ts";
import { openCommandLine } from "../../interfaces/cli/command-line.ts";
import { inventRepository, run } from "../git/invented-repository.ts";
import { addNote, listCommits, removeNotes } from "../git/notes/invented-notes.ts";
import { serveGit } from "../mirrors/serve-git.ts";
import { serveDouble } from "./double.ts";
import { serveHostileGit } from "./hostile-git.ts";

const notesRef = "refs/notes/ai";

const token = "token-that-nobody-may-see";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "roster-mirror-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A forge's repositories. */
function serveRepositories() {
  const root = join(folder, "forge");
  const server = serveGit(root, `Basic ${btoa(`x-access-token:${token}`)}`);
  return Object.assign(server, {
    add: (name: string, commits: number) => {
      const invented = Array.from({ length: commits }, () => ({}));
      return inventRepository(join(root, `${name}.git`), invented);
    },
  });
}

const repository = (name: string, more: Partial<ForgeRepository> = {}): ForgeRepository => ({
  ...{ number: name, name, owner: name.split("/")[0], isFork: false },
  urls: [`https://forge.example/${name}`],
  ...more,
});

function mirror(url: string, repositories: readonly ForgeRepository[], more: object = {}) {
  return mirrorRepositories({
    ...{ folder: join(folder, "mirrors"), forge: "forge.example:3000", url, token, repositories },
    ...{ people: new Set(["ada"]), perPerson: 2, onProgress: () => undefined },
    ...more,
  });
}

const below = (paths: readonly string[]) =>
  paths.map((path) => path.slice(join(folder, "mirrors").length + 1));

describe("mirrors", () => {
  test("are of a person's most starred own repositories, and of all of an organisation", async () => {
    await using forge = serveRepositories();
    for (const name of ["ada/one", "ada/two", "ada/three", "acme/a", "acme/b", "acme/c"]) {
      forge.add(name, 3);
    }
    forge.add("acme/empty", 0);
    const plain = ["acme/a", "acme/b", "acme/c", "acme/empty", "acme/gone", "../../evil"];
    const { paths, warnings } = await mirror(forge.url, [
      repository("ada/one", { stars: 1 }),
      repository("ada/two", { stars: 9 }),
      repository("ada/three", { stars: 5 }),
      repository("ada/fork", { stars: 50, isFork: true }),
      repository("acme/huge", { megabytes: 501 }),
      ...[...plain, "acme/..", "--upload-pack=x/y"].map((name) => repository(name)),
    ]);
    const mirrored = ["acme/a", "acme/b", "acme/c", "ada/three", "ada/two"];
    expect(below(paths).sort()).toEqual(mirrored.map((name) => `forge.example+3000/${name}.git`));
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toBe("acme/huge is not mirrored: it has 501 MB.");
    expect(warnings[1]).toStartWith("acme/gone is not mirrored: ");
    expect(existsSync(join(folder, "mirrors/forge.example+3000/acme/gone.git"))).toBe(false);
    const one = paths.find((path) => path.endsWith("ada/two.git")) as string;
    expect(run(one, ["rev-list", "--count", "HEAD"]).toString().trim()).toBe("3");
    expect(run(one, ["remote", "get-url", "origin"]).toString().trim()).toBe(
      "https://forge.example/ada/two",
    );
  });

  test("take only what is new, and keep what was there when the forge fails", async () => {
    await using forge = serveRepositories();
    const source = forge.add("acme/a", 2);
    const list = [repository("acme/a")];
    const { paths } = await mirror(forge.url, list);
    const first = forge.asked.length;
    await mirror(forge.url, list);
    // It looks where the branch stands, and fetches nothing.
    expect(forge.asked.length - first).toBeLessThan(first);
    rmSync(source, { recursive: true });
    forge.add("acme/a", 5);
    await mirror(forge.url, list);
    const [path] = paths as [string];
    expect(run(path, ["rev-list", "--count", "HEAD"]).toString().trim()).toBe("5");
    rmSync(source, { recursive: true });
    const { paths: kept, warnings } = await mirror(forge.url, list);
    expect([kept, warnings.length]).toEqual([[path], 1]);
  });

  test("have the notes of git-ai, and lose them when the forge does", async () => {
    await using forge = serveRepositories();
    const path = forge.add("ada/one", 2);
    const once = async () => {
      const { paths, warnings } = await mirror(forge.url, [repository("ada/one")]);
      expect(warnings).toEqual([]);
      const refs = run(paths[0] ?? "", ["for-each-ref", "--format=%(refname) %(objectname)"]);
      return refs.toString().trim().split("\n");
    };
    const main = `refs/heads/main ${listCommits(path).at(-1)}`;
    expect(await once()).toEqual([main]);
    addNote(path, "main", "one");
    addNote(path, "main~1", "two");
    run(path, ["update-ref", "refs/notes/commits", "refs/notes/ai"]);
    const notes = run(path, ["rev-parse", "refs/notes/ai"]).toString().trim();
    expect(await once()).toEqual([main, `refs/notes/ai ${notes}`]);
    removeNotes(path);
    expect(await once()).toEqual([main]);
  });

  test("are read whatever a forge gives for notes: no commit, a commit of code, notes on nothing, a huge one", async () => {
    await using forge = serveRepositories();
    const path = forge.add("ada/one", 3);
    const [first = ""] = listCommits(path);
    const say = (...argv: string[]) => run(path, argv).toString().trim();
    const write = (text: Buffer) =>
      run(path, ["hash-object", "-w", "--stdin"], text).toString().trim();
    const blob = write(Buffer.from("no note"));
    // Compressed, it takes 64 kB to send; no note may be so large.
    const huge = write(Buffer.alloc(64 * 2 ** 20));
    const entries = [`100644 blob ${huge}\t${first}`, `120000 blob ${blob}\t${"ab".repeat(20)}`];
    const odd = run(path, ["mktree"], Buffer.from(`${entries.join("\n")}\n`))
      .toString()
      .trim();
    const author = ["-c", "user.name=X", "-c", "user.email=x@example.com"];
    say(...author, "tag", "-a", "odd", "-m", "odd", "main");
    const line = openCommandLine();
    for (const tip of [
      ...[blob, say("rev-parse", "main^{tree}"), say("rev-parse", "odd"), say("rev-parse", "main")],
      say(...author, "commit-tree", "-m", "notes", odd),
    ]) {
      await Bun.write(join(path, notesRef), `${tip}\n`);
      const { paths, warnings } = await mirror(forge.url, [repository("ada/one")]);
      const [mirrored = ""] = paths;
      const notes = run(mirrored, ["rev-parse", notesRef]).toString().trim();
      expect([warnings, notes]).toEqual([[], tip]);
      const ran = await line.run("ingest", "git", mirrored, "--data", line.folder);
      expect([tip, ran.code, ran.err]).toEqual([tip, 0, expect.stringContaining("3 count")]);
    }
    line.close();
  }, 300_000);

  test("leave the token in no file, and take it to no other origin", async () => {
    await using other = serveDouble(() => new Response("", { status: 404 }));
    await using forge = serveDouble((request) => {
      const { pathname, search } = new URL(request.url);
      return Response.redirect(`${other.url}${pathname}${search}`, 302);
    });
    const { paths, warnings } = await mirror(forge.url, [repository("acme/a")]);
    expect([paths, warnings.length]).toEqual([[], 1]);
    expect(other.asked).toEqual([]);
    expect(warnings.join()).not.toContain(token);
    await using right = serveRepositories();
    right.add("acme/a", 1);
    await mirror(right.url, [repository("acme/a")]);
    const files = readdirSync(join(folder, "mirrors"), { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const bytes = readFileSync(join(file.parentPath, file.name), "latin1");
      const words = [token, btoa(`x-access-token:${token}`)];
      expect([file.name, ...words.filter((word) => bytes.includes(word))]).toEqual([file.name]);
    }
  });

  /** Far below what a server without an end sends until a deadline. */
  const bytesBelow = (path: string): number =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);

  test("a pack without an end stops at the limit, and leaves nothing", async () => {
    await using forge = await serveHostileGit("endless");
    const small = repository("acme/a", { megabytes: 1 });
    const { paths, warnings } = await mirror(forge.url, [small], { megabytes: 3 });
    expect([paths, warnings]).toEqual([[], ["acme/a is not mirrored: it is larger than 3 MB."]]);
    // What was on its way is in buffers.
    expect(forge.state.sent).toBeLessThan(30_000_000);
    expect(bytesBelow(join(folder, "mirrors"))).toBeLessThan(100_000);
  });

  test("git that keeps silent is asked three times, and one that trickles until its time is over", async () => {
    await using silent = await serveHostileGit("silent");
    const five = ["a", "b", "c", "d", "e"].map((name) => repository(`acme/${name}`));
    const asked = await mirror(silent.url, five, { silenceMs: 1000 });
    expect([asked.paths, silent.state.asked]).toEqual([[], 3]);
    const silence = "is not mirrored: the forge's git server does not answer.";
    expect(asked.warnings).toEqual([
      ...["a", "b", "c"].map((name) => `acme/${name} ${silence}`),
      "2 more repositories are left for the next run: the forge's git server did not answer 3 times in a row.",
    ]);
    await using trickling = await serveHostileGit("trickling");
    const { warnings } = await mirror(trickling.url, five.slice(0, 1), { timeoutMs: 3000 });
    expect(warnings).toEqual(["acme/a is not mirrored: git fetch did not end within 3 seconds."]);
  });

  test("what a run was killed over goes with the next one, and no git outlives it", async () => {
    await using forge = await serveHostileGit("endless");
    const mirrors = join(folder, "mirrors");
    const script = `import { mirrorRepositories } from ${JSON.stringify(join(import.meta.dir, "../../../src/ingest/mirrors/mirror-repositories.ts"))};
      await mirrorRepositories({ folder: ${JSON.stringify(mirrors)}, forge: "forge.example:3000", url: ${JSON.stringify(forge.url)},
        megabytes: 100000, people: new Set(), onProgress: () => {},
        repositories: [{ number: "1", name: "acme/a", urls: [], isFork: false }] });`;
    const run = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "ignore" });
    while (forge.state.sent < 20_000_000) await Bun.sleep(20);
    run.kill("SIGKILL");
    await run.exited;
    const isLeft = () => Bun.spawnSync(["pgrep", "-f", forge.url]).exitCode === 0;
    while (isLeft()) await Bun.sleep(20);
    expect(bytesBelow(mirrors)).toBeGreaterThan(1_000_000);
    await using gone = serveDouble(() => new Response("", { status: 404 }));
    const { paths } = await mirror(gone.url, [repository("acme/other")]);
    expect([paths, bytesBelow(mirrors) < 100_000]).toEqual([[], true]);
  });
});

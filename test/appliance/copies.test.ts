/** Copies of backups elsewhere, by the real program: taken over by a reload, told of, and never half after a kill. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { endServersAfterEach, freePort, program, startServer } from "../faults/server-process.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

async function run(...argv: string[]) {
  const { code, out, err } = await readOutput(
    Bun.spawn([...program, ...argv], { stdout: "pipe", stderr: "pipe" }),
  );
  return { code, text: `${out}${err}` };
}

async function until(isSo: () => boolean | Promise<boolean>) {
  for (const end = Date.now() + 60_000; !(await isSo()); await Bun.sleep(50))
    if (Date.now() > end) throw new Error("it did not come about");
}

/** A server with a backup in its folder, and commands that keep copies in another one. */
async function start() {
  const at = newFolder();
  const [data, file] = [join(at, "data"), join(at, "roster.toml")];
  const [folder, far] = [join(at, "backups"), join(at, "far")];
  for (const path of [folder, far]) mkdirSync(path);
  const sh = (text: string) => JSON.stringify(["sh", "-c", `cd '${far}' && ${text}`]);
  const copy = (write: string) => [
    ...["[[backup.copies]]", 'id = "far"', `write = ${sh(write)}`, `read = ${sh("cat {name}")}`],
    ...[`list = ${sh("ls")}`, `remove = ${sh("rm -f {name}")}`],
  ];
  const set = (every: string, ...lines: string[]) => {
    const backup = [`backup.every = "${every}"`, `backup.folder = "${folder}"`, "backup.keep = 2"];
    writeFileSync(file, `${[...backup, ...lines].join("\n")}\n`);
  };
  set("7d");
  const port = await freePort();
  const serve = () => startServer(data, port, [], ["--config", file]);
  const list = (path: string) =>
    readdirSync(path)
      .filter((name) => name.startsWith("roster-"))
      .sort();
  return {
    ...{ at, data, serve, set, copy, server: await serve() },
    local: () => list(folder),
    there: () => list(far),
    /** Waits, because a mark may be seen while it is written. */
    async expectWhole() {
      const words = ["sh", "-c", "sha256sum -c --strict *.sha256"];
      await until(() => Bun.spawnSync(words, { cwd: far }).exitCode === 0);
    },
    status: () => run("status", "--data", data, "--config", file),
    reload: async () => (await run("reload", "--data", data)).text,
    ready: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      return (await answer.json()) as {
        readonly ready: boolean;
        readonly warnings?: readonly string[];
        readonly copies: readonly [{ readonly archives?: number }];
      };
    },
  };
}

const write = "cat > {name}";

test("a copy begins, fails and ends by a reload; status and readiness say how it is", async () => {
  const roster = await start();
  await until(() => roster.local().length === 1);
  roster.set("7d", ...roster.copy(`env > ../environment; ${write}`));
  expect(await roster.reload()).toBe("changed  backup.copies.far\n");
  await until(() => roster.there().length === 2);
  await roster.expectWhole();
  expect(roster.there()[0]).toMatch(/^roster-[0-9a-f]{8}-\d+-20\d\d-.*Z\.tar\.zst$/);
  // The commands get nothing of Roster's own variables, which may hold secrets.
  expect(readFileSync(join(roster.at, "environment"), "utf8")).not.toContain("ROSTER_");
  await until(async () => (await roster.status()).text.includes("copy"));
  expect((await roster.status()).text).toMatch(
    /copy +far: 1 kept, the newest archive made (just now|\d+ \w+ ago)/,
  );
  const kept = { id: "far", archives: 1, waiting: 0, at: expect.any(String) };
  expect(await roster.ready()).toMatchObject({ ready: true, copies: [kept] });

  const refusal = "backups are not copied to far: the command of far cannot write: No room (since ";
  roster.set("1s", ...roster.copy("echo No room >&2; exit 3"));
  await roster.reload();
  await until(async () => (await roster.ready()).warnings?.join().includes(refusal) === true);
  const { code, text } = await roster.status();
  expect([code, text]).toEqual([1, expect.stringContaining(refusal)]);
  expect((await roster.ready()).ready).toBe(true);
  // Backups go on, and those that are lacking stay.
  await until(() => roster.local().length > 3);
  roster.set("7d", ...roster.copy(write));
  await roster.reload();
  await until(async () => (await roster.ready()).copies[0].archives === 2);
  expect((await roster.ready()).warnings).toBeUndefined();
  await roster.expectWhole();

  roster.set("7d");
  expect(await roster.reload()).toBe("changed  backup.copies.far\n");
  expect(await roster.ready()).not.toHaveProperty("copies");
}, 300_000);

test("killed while it sends, nothing half is a copy, and the next start sends it again", async () => {
  const roster = await start();
  await until(() => roster.local().length === 1);
  roster.set("7d", ...roster.copy("head -c 2000 > {name}; touch ../part; sleep 600"));
  await roster.reload();
  await until(() => existsSync(join(roster.at, "part")));
  await roster.server.kill();
  expect(roster.there()).toHaveLength(1);
  roster.set("7d", ...roster.copy(write));
  await roster.serve();
  await until(() => roster.there().length === 2);
  await roster.expectWhole();
  expect((await roster.ready()).copies).toMatchObject([{ id: "far" }]);
}, 300_000);

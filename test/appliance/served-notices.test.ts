/**
 * Each kind of notice on the real program: somebody makes its cause, and it is told once within a minute, by https and by a
 * command, beside a receiver that is away. When the cause is gone, that is told once, too.
 */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReceiver } from "../delivery/receiver.ts";
import { freePort, program } from "../faults/server-process.ts";
import { canMount, createSmallDisks } from "../faults/small-disk.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeRepository } from "../upgrade/repository.ts";

const newFolder = temporaryFolders();
const newDisk = createSmallDisks();
let secret = "";
const receiver = openReceiver(
  () => secret,
  () => 200,
);
const children: Bun.Subprocess[] = [];
afterAll(async () => {
  await receiver.close();
  for (const child of children) child.kill("SIGKILL");
});

const isAble = canMount && Bun.which("openssl") !== null;

function makeCertificate(folder: string, days: number): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const about = ["-days", String(days), "-subj", "/CN=localhost"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  Bun.spawnSync(["openssl", "req", "-x509", ...key, ...files, ...about]);
}

/** Lists what a receiver heard, as `kind state subject`. */
const read = (bodies: readonly string[]): readonly string[] =>
  bodies
    .filter((body) => body !== "")
    .flatMap((body) => {
      const { type, data } = JSON.parse(body);
      return data.notices.map((one: { subject: string }) => `${type} ${data.state} ${one.subject}`);
    });

async function openPlace() {
  const [place, disk] = [newFolder(), newDisk(120)];
  const at = (name: string) => join(place, name);
  const data = join(disk.folder, "data");
  const [heard, settings] = [at("heard"), at("roster.toml")];
  for (const folder of [at("repo"), at("other"), at("third"), at("empty"), data]) mkdirSync(folder);
  for (const [name, author] of [
    ["repo", { name: "Ada", email: "ada@example.com" }],
    ["other", { name: "Ben", email: "ben@example.com" }],
    ["third", { name: "Cid", email: "cid@example.com" }],
  ] as const)
    makeRepository(at(name), [{ author, commits: 2 }]);
  makeCertificate(place, 5);
  writeFileSync(heard, "");
  writeFileSync(
    settings,
    `tls = { certFile = "${at("cert.pem")}", keyFile = "${at("key.pem")}" }
[[notify]]
id = "hook"
to = "${receiver.url}"
[[notify]]
id = "page"
command = ["sh", "-c", 'told=$(cat); echo "$told" >> ${heard}']
[[notify]]
id = "away"
to = "http://127.0.0.1:9/"
[[sources]]
id = "corp"
kind = "folder"
path = "${at("corp")}"
`,
  );
  const flags = ["--data", data, "--config", settings];
  const run = async (...given: string[]) => {
    const child = Bun.spawn([...program, ...given, ...flags], { stderr: "ignore" });
    const out = await new Response(child.stdout).text();
    return { code: await child.exited, out };
  };
  const port = await freePort();
  const serve = async () => {
    const log = Bun.file(at("log"));
    const given = ["serve", "--no-demo", "--port", String(port), "--admin-key-file", at("key")];
    const child = Bun.spawn([...program, ...given, ...flags], { stdout: "ignore", stderr: log });
    children.push(child);
    const ask = () =>
      fetch(`https://127.0.0.1:${port}/readyz`, { tls: { rejectUnauthorized: false } });
    while ((await ask().catch(() => undefined))?.status !== 200) {
      if (child.exitCode !== null) throw new Error(`the server ended: ${await log.text()}`);
      await Bun.sleep(50);
    }
    return async () => {
      child.kill("SIGKILL");
      await child.exited;
    };
  };
  return { at, data, disk, heard, run, serve };
}

test.skipIf(!isAble)(
  "each kind is told once when it begins and once when it is over, also if the server is killed (skipped without the right to mount)",
  async () => {
    const { at, data, disk, heard, run, serve } = await openPlace();
    const hooked = () => read(receiver.received.map(({ body }) => body));
    const paged = () => read(readFileSync(heard, "utf8").split("\n"));
    const hear = async (...all: string[]) => {
      const end = performance.now() + 60_000;
      while (!all.every((one) => [hooked(), paged()].every((list) => list.includes(one)))) {
        if (performance.now() > end) {
          const lacking = all.filter((one) => !hooked().includes(one));
          throw new Error(`not within a minute: ${lacking.join(", ") || "the command"}`);
        }
        await Bun.sleep(100);
      }
    };
    const ingest = async (...paths: string[]) =>
      (await run("ingest", "git", ...paths, "--quiet")).code;
    const dead = (change: string) => {
      using control = new Database(join(data, "control.db"));
      control.run("PRAGMA busy_timeout = 5000");
      control.run(`UPDATE webhook_delivery SET due_ms = ${change} WHERE target_id = 'nt_away'`);
    };
    const countWaiting = () => {
      using control = new Database(join(data, "control.db"), { readonly: true });
      const text = "SELECT id FROM webhook_delivery WHERE target_id IN ('nt_hook', 'nt_page')";
      return control.query(text).all().length;
    };
    const subjects = [
      ...["backup backup", "certificate certificate", "disk disk", "source corp"],
      ...[`repository ${at("repo")}`, "run ingest"],
    ];
    const list = (state: string) =>
      subjects.map((one) => `notice.${one.replace(" ", ` ${state} `)}`);

    let kill = await serve();
    secret = (await run("notify", "secret", "hook")).out.trim();
    expect(await ingest(at("repo"))).toBe(0);
    renameSync(at("repo"), at("moved"));
    await ingest(at("repo"));
    expect(await ingest(at("other"), at("empty"))).toBe(3);
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(join(disk.folder, "else"), new Uint8Array(bavail * bsize - 6_000_000));
    await hear(...list("begun"));
    // What is being sent during a kill would come twice.
    while (countWaiting() > 0) await Bun.sleep(50);
    await kill();
    kill = await serve();

    rmSync(join(disk.folder, "else"));
    renameSync(at("moved"), at("repo"));
    renameSync(at("empty"), at("corp"));
    renameSync(at("third"), at("corp/third"));
    makeCertificate(at(""), 100);
    expect(await ingest(at("repo"))).toBe(0);
    expect((await run("sources", "refresh", "corp")).code).toBe(0);
    expect((await run("backup", at("made.tar.zst"))).code).toBe(0);
    await hear(...list("over"));

    dead("NULL");
    await hear("notice.delivery begun nt_away");
    dead("9e15");
    await hear("notice.delivery over nt_away");

    renameSync(join(data, "pool.db"), join(disk.folder, "pool.db"));
    const damage = `${join(data, "pool.db")} was moved or replaced under the running server`;
    await hear(`notice.damage begun ${damage}`);
    renameSync(join(disk.folder, "pool.db"), join(data, "pool.db"));
    await hear(`notice.damage over ${damage}`);

    for (const told of [hooked(), paged()]) {
      expect(told.filter((one, place) => told.indexOf(one) !== place)).toEqual([]);
    }
    expect(receiver.received.every(({ isRight }) => isRight)).toBe(true);
    const [{ waiting } = { waiting: 0 }] = JSON.parse(
      (await run("notify", "list", "--json")).out,
    ).filter(({ id }: { id: string }) => id === "away");
    // Nothing is lost: each event waits, except that it is not told of itself.
    expect(waiting).toBeGreaterThan(10);
    await kill();
  },
  600_000,
);

/**
 * The machine is gone. On an empty one, an operator restores the newest copy from S3-compatible storage, in the words of the manual.
 * `scripts/explore test/journeys/restore-elsewhere.slow.test.ts` does it with a folder of 1 GB.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { version } from "../../package.json";
import { hasStorage, openStorage, type TestStorage } from "../backup/real-storage.ts";
import { freePort } from "../faults/server-process.ts";
import { isLong } from "../long.ts";
import { type Desk, executable, expectDone, isBuilt, openDesk } from "./desk.ts";
import { readDocument, splitCommands } from "./documents/blocks.ts";
import { findObstacle, type Machine, openMachine } from "./machine.ts";

const root = join(import.meta.dir, "../..");
const mebibytes = isLong ? 1024 : 32;
const minutes = 60_000;
const name = "today.tar.zst.age";
const obstacle = isBuilt && hasStorage ? findObstacle() : "it needs dist/roster and an S3 server";
if (obstacle) process.stderr.write(`SKIPPED: restoring elsewhere, since ${obstacle}\n`);

/** The commands below a heading of the manual. */
function readCommands(heading: string): readonly string[] {
  const [, section = ""] = readDocument("docs/operation.md").split(`\n### ${heading}\n`);
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  return splitCommands(block);
}

/** What a minimal system lacks: `sudo`, and `systemctl`, for which the test starts and stops the unit. */
const sudo = `#!/bin/sh
if [ "$1" = -u ]; then
  user=$2
  shift 2
  exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
fi
exec "$@"
`;

/** The most memory of any process with this name, in MiB, while it is watched. */
function watchMemory(called: string): { end(): number } {
  let most = 0;
  const look = () => {
    for (const pid of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        if (!status.startsWith(`Name:\t${called}\n`)) continue;
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
      } catch {
        // It has ended.
      }
    }
  };
  const timer = setInterval(look, 50);
  return {
    end() {
      clearInterval(timer);
      return Math.round(most / 1024);
    },
  };
}

describe.skipIf(obstacle !== undefined)("the machine is gone", () => {
  let desk: Desk;
  let storage: TestStorage;
  let machine: Machine;
  let folder: string;
  let port: number;
  let key: string;
  let unit: ReturnType<Machine["startUnit"]> | undefined;

  const at = (path: string) => join(machine.root, path);
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": key } });

  /** A folder with the invented people and as many bytes that cannot be compressed, copied to the storage, encrypted. */
  async function loseServer(): Promise<void> {
    writeFileSync(join(desk.folder, "s3.secret"), storage.secret, { mode: 0o600 });
    const server = await desk.serve("--port", "0", "--data", "data");
    key = /rst_\w+/.exec(server.output())?.[0] ?? "";
    await server.stop();
    const sqlite = new Database(join(desk.folder, "data/pool.db"));
    sqlite.run("CREATE TABLE ballast (bytes BLOB)");
    const insert = sqlite.query("INSERT INTO ballast VALUES (randomblob(1048576))");
    for (let count = 0; count < mebibytes; count++) insert.run();
    sqlite.close();
    const identity = await generateX25519Identity();
    const settings = `data = "/var/lib/roster"
      adminKeyFile = "/var/lib/roster/admin.key"
      port = ${port}
      [s3]
      endpoint = "${storage.endpoint}"
      region = "${storage.region}"
      keyId = "${storage.keyId}"
      secretFile = "/etc/roster/s3.secret"
      [backup]
      recipients = "${await identityToRecipient(identity)}"`;
    for (const [file, text] of [
      ["roster.toml", settings],
      ["backup.key", identity],
    ] as const)
      writeFileSync(join(desk.folder, file), `${text}\n`, { mode: 0o600 });
    const own = ["--data", "data", "--config", "roster.toml"];
    expectDone(await desk.roster("backup", `s3://backups/roster/${name}`, ...own));
    rmSync(join(desk.folder, "data"), { recursive: true });
  }

  /** The files that the operator has at hand: the package, and what the manual names. */
  function bringFiles(): void {
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
    const run = (...argv: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd: root, env });
      if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
      return stdout;
    };
    const contents = run(process.execPath, "scripts/releasing/sbom.ts");
    writeFileSync(join(folder, `roster-${version}.cdx.json`), contents);
    const architecture = run("dpkg", "--print-architecture").toString().trim();
    run("scripts/releasing/package", architecture, executable, folder, version);
    // The manual's pattern is that of most machines.
    const made = `roster_${version}_${architecture}.deb`;
    copyFileSync(join(folder, made), at(`srv/roster_${version}_amd64.deb`));
    for (const file of ["roster.toml", "s3.secret", "backup.key"])
      copyFileSync(join(desk.folder, file), at(`srv/${file}`));
    writeFileSync(at("usr/local/bin/sudo"), sudo);
    chmodSync(at("usr/local/bin/sudo"), 0o755);
  }

  const start = async () => {
    unit = machine.startUnit("roster.service");
    const log = new Response(unit.stderr).text();
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
      if (unit.exitCode !== null) throw new Error(`it ended: ${await log}`);
      await Bun.sleep(20);
    }
  };
  const stop = async () => {
    unit?.kill("SIGTERM");
    await unit?.exited;
    unit = undefined;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "roster-elsewhere-"));
    [desk, storage, machine, port] = [
      openDesk({ ROSTER_S3_SECRET_FILE: "s3.secret" }),
      await openStorage(),
      await openMachine(),
      await freePort(),
    ];
    await loseServer();
    bringFiles();
  }, 15 * minutes);
  afterAll(async () => {
    await stop();
    await machine?.clear();
    await storage?.stop();
    await desk?.clear();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs one line of the manual. @returns what it printed. */
  async function follow(line: string): Promise<string> {
    if (line === "sudo systemctl start roster") await start();
    else if (line === "sudo systemctl stop roster") await stop();
    else {
      const path = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
      const said = expectDone(await machine.shell(`cd /srv && ${path} && ${line}`));
      // Where systemd runs, the package starts its service, with the settings that it brings.
      if (line.startsWith("sudo apt install")) {
        await machine.shell(`echo 'port = ${port}' >>/etc/roster/roster.toml`);
        await start();
      }
      return said;
    }
    return "";
  }

  test(
    `an operator restores ${mebibytes} MB from storage with at most six commands`,
    async () => {
      const lines = readCommands("On an empty machine");
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.length).toBeLessThanOrEqual(6);
      const told: string[] = [];
      let said = "";
      for (const line of lines) {
        const memory = watchMemory("roster");
        const beganAt = performance.now();
        said += await follow(line);
        const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
        told.push(`${seconds} s, ${memory.end()} MiB: ${line}`);
      }
      process.stderr.write(`${told.join("\n")}\n`);
      expect(said).toContain(name);
      expect((await ask("/v1/users/ada-example")).status, "the key of before opens it").toBe(200);
      const { size } = Bun.file(at("var/lib/roster/pool.db"));
      expect(size).toBeGreaterThan(mebibytes * 2 ** 20);
    },
    15 * minutes,
  );
});

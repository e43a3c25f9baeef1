/**
 * An operator installs the package, starts it as the unit does, upgrades it and every data folder of earlier releases, goes back,
 * makes a backup, restores it elsewhere, and keeps encrypted copies in storage. On the executable, packed as releases are, with apt
 * and dpkg themselves.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { version } from "../../package.json";
import { hasStorage, openStorage, type TestStorage } from "../backup/real-storage.ts";
import { createCallCount } from "../call-count.ts";
import { findExecutable, freePort } from "../faults/server-process.ts";
import { archives, unpackFolder } from "../upgrade/filled-folders.ts";
import { expectDone } from "./desk.ts";
import { findObstacle, type Machine, openMachine, publish } from "./machine.ts";

const root = join(import.meta.dir, "../..");
const executable = process.env["ROSTER_EXECUTABLE"] ?? findExecutable() ?? "";
const isBuilt = existsSync(executable) && existsSync(join(root, "dist/contents.json"));
const obstacle = isBuilt ? findObstacle() : "dist/roster is missing, or older than the sources";
if (obstacle) process.stderr.write(`SKIPPED: the operator's journey, since ${obstacle}\n`);

const minutes = 60_000;
const data = "/var/lib/roster";

interface Service {
  readonly address: string;
  log(): string;
  /** @returns the exit code. */
  stop(): Promise<number>;
}

describe.skipIf(obstacle !== undefined)("an operator's year, with packages", () => {
  let machine: Machine;
  let folder: string;
  let packages: readonly string[];
  let port: number;
  let key: string;
  let before: unknown;
  const services = new Set<Service>();

  const at = (path: string) => join(machine.root, path);
  const type = async (line: string) => expectDone(await machine.shell(line));
  const asRoster = (line: string) =>
    machine.shell(`cd ${data} && setpriv --reuid=roster --regid=roster --init-groups ${line}`);
  const ask = async (path: string, given = key) => {
    const headers = { "x-api-key": given };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const { data: found, meta } = (await response.json()) as {
      data?: unknown;
      meta?: { quota?: { used: number; month: string } };
    };
    const { used, month = "" } = meta?.quota ?? {};
    return { status: response.status, data: found, used, month };
  };
  /** Calls of the administrator on the first folder. */
  const calls = createCallCount();
  const search = async (location: string) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ location, maxResults: 25 });
    const init = { method: "POST", headers, body };
    const response = await fetch(`http://127.0.0.1:${port}/v1/search`, init);
    const { data: found, meta } = (await response.json()) as {
      data: unknown;
      meta: { quota: { month: string } };
    };
    calls.add(meta.quota.month);
    return found;
  };

  /** Starts the unit, and waits until it is ready. */
  const start = async (env: Record<string, string> = {}): Promise<Service> => {
    const child = machine.startUnit("roster.service", env);
    let log = "";
    const ended = Promise.all([
      new Response(child.stdout).text(),
      (async () => {
        for await (const chunk of child.stderr) log += new TextDecoder().decode(chunk);
      })(),
    ]);
    const address = `http://127.0.0.1:${port}`;
    const service: Service = {
      address,
      log: () => log,
      async stop() {
        child.kill("SIGTERM");
        await ended;
        services.delete(service);
        return child.exited;
      },
    };
    services.add(service);
    while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${log}`);
      await Bun.sleep(20);
    }
    return service;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "roster-operator-"));
    machine = await openMachine();
    port = await freePort();
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
    const run = (...argv: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd: root, env });
      if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
      return stdout;
    };
    const contents = join(folder, `roster-${version}.cdx.json`);
    await Bun.write(contents, run(process.execPath, "scripts/releasing/sbom.ts"));
    const architecture = run("dpkg", "--print-architecture").toString().trim();
    const releases = ["0.1.0", version];
    // The program of the first release is not here; its data folders are, below.
    for (const each of releases)
      run("scripts/releasing/package", architecture, executable, folder, each);
    packages = releases.map((each) => join(folder, `roster_${each}_${architecture}.deb`));
  }, 15 * minutes);
  afterAll(async () => {
    for (const service of services) await service.stop();
    await machine?.clear();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test(
    "installs it with apt: a user, folders of its own, and every document",
    async () => {
      await publish(machine, packages.slice(0, 1));
      await type("apt-get update && apt-get install -y --no-install-recommends roster");
      expect(await type("stat -c '%U:%G %a' /var/lib/roster /etc/roster/roster.toml")).toBe(
        "roster:roster 700\nroot:roster 640\n",
      );
      const held = Bun.spawnSync(["dpkg-deb", "--contents", packages[0] ?? ""]).stdout.toString();
      for (const path of [
        ...["docs/operation.md", "docs/growth.md", "CHANGELOG.md", "licences.txt"],
        ...["packaging/prometheus/roster-alerts.yml", "packaging/patroni/patroni.yml"],
        ...["packaging/ci/comment-reviewers", "packaging/ci/gitlab.yml"],
        ...["packaging/grafana/roster-dashboard.json", `roster-${version}.cdx.json`],
      ]) {
        expect(held).toContain(` ./usr/share/doc/roster/${path}\n`);
      }
    },
    2 * minutes,
  );

  test(
    "starts it by the unit, finds the key where the settings say, and asks",
    async () => {
      appendFileSync(at("etc/roster/roster.toml"), `port = ${port}\n`);
      const service = await start();
      key = (await type(`cat ${data}/admin.key`)).trim();
      const first = await ask("/v1/users/ada-example");
      expect(first).toMatchObject({ status: 200, used: calls.add(first.month) });
      before = await search("Berlin");
      expect(statSync(at(`${data}/control.db`)).mode & 0o777).toBe(0o600);
      expect(await service.stop()).toBe(0);
      expect(service.log()).not.toMatch(/"level":"(warn|error)"/);
    },
    2 * minutes,
  );

  test(
    "changes settings while it runs, as the manual says: one changes at once, one is named, a wrong one is refused",
    async () => {
      const file = at("etc/roster/roster.toml");
      const installed = readFileSync(file, "utf8");
      const service = await start();
      const reload = () => asRoster("roster reload --config /etc/roster/roster.toml");
      const contact = async () =>
        (await fetch(`http://127.0.0.1:${port}/.well-known/security.txt`)).text();
      appendFileSync(file, 'securityContact = "mailto:security@corp.example"\ncallsAtOnce = 99\n');
      expect(expectDone(await reload())).toBe(
        "changed          securityContact\nneeds a restart  callsAtOnce\n",
      );
      expect(await contact()).toContain("mailto:security@corp.example");
      appendFileSync(file, "prot = 1\n");
      const refused = await reload();
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("prot")]);
      expect(await contact()).toContain("mailto:security@corp.example");
      writeFileSync(file, installed);
      expect(expectDone(await reload())).toBe("changed  securityContact\n");
      expect(await service.stop()).toBe(0);
    },
    2 * minutes,
  );

  test(
    "names who is told when something needs an operator, and sends a test, which arrives",
    async () => {
      const file = at("etc/roster/roster.toml");
      const installed = readFileSync(file, "utf8");
      const service = await start();
      const ask = (what: string) => asRoster(`roster ${what} --config /etc/roster/roster.toml`);
      const command = `["sh", "-c", "cat > ${data}/told"]`;
      appendFileSync(file, `\n[[notify]]\nid = "pager"\ncommand = ${command}\n`);
      expect(expectDone(await ask("reload"))).toBe("changed  notify.pager\n");
      expect(expectDone(await ask("notify test"))).toMatch(/^pager +sent$/m);
      expect(await type(`cat ${data}/told`)).toContain('"type":"notice.test"');
      expect(expectDone(await ask("notify list"))).toMatch(/^pager +sh +backup disk .* 0 +0/m);
      writeFileSync(file, installed);
      expect(expectDone(await ask("reload"))).toBe("changed  notify.pager\n");
      expect(await service.stop()).toBe(0);
    },
    2 * minutes,
  );

  test(
    "upgrades it with apt: the next version, with the settings, the key and the answers of before",
    async () => {
      await publish(machine, packages);
      await type("apt-get update && apt-get upgrade -y");
      expect(await type("dpkg-query --show roster")).toBe(`roster\t${version}\n`);
      expect((await type("roster --version")).trim()).toContain(version);
      expect(readFileSync(at("etc/roster/roster.toml"), "utf8")).toContain(`port = ${port}`);
      const service = await start();
      expect(await search("Berlin")).toEqual(before);
      const next = await ask("/v1/users/ada-example");
      expect(next.used).toBe(calls.add(next.month));
      expect(await service.stop()).toBe(0);
      expect(await type("apt-get upgrade -y")).toContain("0 upgraded");
    },
    2 * minutes,
  );

  for (const archive of archives) {
    test(
      `upgrades a folder of ${archive}, and can go back`,
      async () => {
        const unpacked = mkdtempSync(join(folder, "filled-"));
        const known = unpackFolder(archive, unpacked);
        await type(`rm -rf ${data}/* && mkdir -p /srv/back && rm -rf /srv/back/*`);
        Bun.spawnSync(["cp", "-a", `${unpacked}/data/.`, at(data)]);
        await type(`chown -R roster:roster ${data}`);
        const service = await start();
        const [coder = ""] = known.logins;
        const answer = await ask(`/v1/users/${coder}`, known.key);
        const usedBefore = known.at.startsWith(answer.month) ? known.used : 0;
        expect(answer).toMatchObject({ status: 200, used: usedBefore + 1 });
        expect((await ask(`/v1/users/${coder}`, known.oldKey)).status).toBe(401);
        const { login } = known.forgotten ?? { login: "nobody-at-all" };
        expect((await ask(`/v1/users/${login}`, known.key)).status).toBe(404);
        expect(await service.stop()).toBe(0);

        const newest = "$(ls backups/before-upgrade-*.tar.zst | tail -n 1)";
        await type(`cd ${data} && zstd -dc ${newest} | tar -x -C /srv/back`);
        // SQLite would follow the way into the machine to this one's files.
        const back = join(unpacked, "back");
        Bun.spawnSync(["cp", "-a", at("srv/back"), back]);
        for (const name of ["control.db", "pool.db"]) {
          const was = describeDatabase(join(unpacked, "data", name));
          expect(describeDatabase(join(back, name))).toEqual(was);
        }
      },
      2 * minutes,
    );
  }

  test(
    "makes a backup beside the running server, checks it, and restores it on another folder: the same answers",
    async () => {
      // A server judges everyone again after an upgrade, and answers meanwhile.
      expectDone(await asRoster(`roster rescore --data ${data}`));
      const service = await start();
      const known = unpackFolder(archives.at(-1) ?? "", mkdtempSync(join(folder, "filled-")));
      ({ key } = known);
      const answers = async () => [
        await search("Worldwide"),
        ...(await Promise.all(
          known.logins.map(async (each) => (await ask(`/v1/users/${each}`)).data),
        )),
      ];
      before = await answers();
      expectDone(await asRoster(`roster backup ${data}/today.tar.zst --data ${data}`));
      expectDone(await asRoster(`roster backup --verify ${data}/today.tar.zst`));
      const history = expectDone(await asRoster(`roster runs --data ${data}`));
      expect(history).toMatch(/ done +Update all scores +a command .* scored; the score of /);
      const readiness = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect(await readiness.text()).toContain('"ageSeconds":');
      const { exitCode, stdout: status } = await asRoster(`roster status --data ${data}`);
      // The folder is of an older release.
      const warning = "warning       people were counted with older identity rules";
      expect([exitCode, status]).toEqual([1, expect.stringContaining(warning)]);
      expect(status).toMatch(/^server +http.*, ready$/m);
      expect(status).toMatch(/^backup +(just now|1 minute ago)/m);
      expect(await service.stop()).toBe(0);

      const restore = "roster restore today.tar.zst --data restored";
      expect(expectDone(await asRoster(restore))).toContain("restored");
      const moved = await start({ ROSTER_DATA: `${data}/restored` });
      const kept = await answers();
      expect(await moved.stop()).toBe(0);
      expect(kept).toEqual(before as typeof kept);
      expect(expectDone(await asRoster("roster doctor --data restored"))).not.toMatch(/^fault/m);
    },
    2 * minutes,
  );

  test.skipIf(!hasStorage)(
    "keeps encrypted copies in storage, is told while it is away, and restores the newest on an empty folder",
    async () => {
      const file = at("etc/roster/roster.toml");
      const installed = readFileSync(file, "utf8");
      const identity = await generateIdentity();
      const storage = await openStorage();
      const told = () => type(`cat ${data}/told 2>/dev/null || true`);
      const tells = async (words: RegExp) => {
        const end = Date.now() + 2 * minutes;
        while (!words.test(await told()) && Date.now() < end) await Bun.sleep(500);
        expect(await told()).toMatch(words);
      };
      try {
        await type(`install -o roster -m 600 /dev/null /etc/roster/s3.secret`);
        writeFileSync(at("etc/roster/s3.secret"), storage.secret);
        appendFileSync(file, describeCopies(storage, await identityToRecipient(identity)));
        const service = await start();
        expect(
          expectDone(await asRoster("roster notify test --config /etc/roster/roster.toml")),
        ).toContain("pager");
        await tells(/"type":"notice.test"/);
        const status = () =>
          asRoster(`roster status --data ${data} --config /etc/roster/roster.toml`);
        const copied = /^copy +offsite: .*[1-9]/m;
        const end = Date.now() + 2 * minutes;
        while (!copied.test((await status()).stdout) && Date.now() < end) await Bun.sleep(500);
        expect((await status()).stdout).toMatch(copied);

        await storage.kill();
        await tells(/"type":"notice.backup".*"state":"begun".*offsite/);
        await storage.restart();
        await tells(/"type":"notice.backup".*"state":"over".*offsite/);
        expect(await told()).not.toContain(storage.secret);
        expect(await service.stop()).toBe(0);
        expect(service.log()).not.toContain(storage.secret);

        await type(`install -o roster -m 600 /dev/null ${data}/identity`);
        writeFileSync(at(`${data}/identity`), `${identity}\n`);
        const list = "roster backup --list offsite --config /etc/roster/roster.toml";
        const listed = expectDone(await asRoster(list));
        const name = /roster-\S+\.tar\.zst\.age/.exec(listed)?.[0];
        const restore = `roster restore s3://${storage.bucket}/roster/${name} --data empty --identity ${data}/identity --config /etc/roster/roster.toml`;
        expect(expectDone(await asRoster(restore))).toContain("restored");
        expect(expectDone(await asRoster("roster doctor --data empty"))).not.toMatch(/^fault/m);
        const people = async (folder: string) =>
          expectDone(await asRoster(`roster export - --data ${folder}`));
        expect(await people("empty")).toBe(await people(data));
      } finally {
        writeFileSync(file, installed);
        await storage.stop();
      }
    },
    6 * minutes,
  );

  test(
    "is shown what is too old, and has exactly that removed",
    async () => {
      const left = [1, 2].map((day) => `before-upgrade-2020-01-0${day}T00-00-00-000Z.tar.zst`);
      for (const name of left) {
        await type(`install -D -o roster -m 600 /dev/null ${data}/backups/${name}`);
        await type(`touch -d 2020-01-03 ${data}/backups/${name}`);
      }
      const list = async () => (await type(`ls ${data}/backups`)).trim().split("\n");
      const [oldest = ""] = left;
      const all = await list();
      expect(all).toContain(oldest);
      const shown = expectDone(await asRoster(`roster cleanup --dry-run --data ${data}`));
      expect([shown.includes(oldest), await list()]).toEqual([true, all]);
      const removed = expectDone(await asRoster(`roster cleanup --data ${data}`));
      expect(removed.replace("removed ", "would go")).toBe(shown);
      const stayed = await list();
      expect(all.filter((name) => !stayed.includes(name) && !shown.includes(name))).toEqual([]);
      expect([stayed.includes(oldest), stayed.length > 0]).toEqual([false, true]);
    },
    minutes,
  );

  test(
    "removes it, which keeps the data, and purges it, which leaves nothing",
    async () => {
      await type("apt-get remove -y roster");
      expect(existsSync(at("usr/bin/roster"))).toBe(false);
      expect(existsSync(at(`${data}/control.db`))).toBe(true);
      await type("apt-get purge -y roster");
      for (const path of [data, "/etc/roster"]) expect(existsSync(at(path))).toBe(false);
      expect((await machine.shell("id roster")).exitCode).toBe(1);
    },
    minutes,
  );
});

/** The lines of the settings file for copies in storage, and for a program that is told. */
const describeCopies = ({ endpoint, region, keyId, bucket }: TestStorage, recipient: string) => `
backup.every = "3s"
backup.recipients = "${recipient}"
s3.endpoint = "${endpoint}"
s3.region = "${region}"
s3.keyId = "${keyId}"
s3.secretFile = "/etc/roster/s3.secret"

[[backup.copies]]
id = "offsite"
to = "s3://${bucket}/roster"

[[notify]]
id = "pager"
command = ["tee", "-a", "${data}/told"]
`;

function describeDatabase(path: string) {
  using sqlite = new Database(path);
  const tables = sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  const rows = tables.map(({ name }) => [
    name,
    Bun.hash(JSON.stringify(sqlite.query(`SELECT * FROM "${name}"`).values())),
  ]);
  return { form: sqlite.query("PRAGMA user_version").get(), rows };
}

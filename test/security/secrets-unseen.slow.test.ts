/**
 * The secrets of an operator are nowhere but in their files: not in process lists, logs, what commands print, errors, the data folder or
 * backups, also when the storage, the mail server and the receivers of notices refuse them.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { hasStorage, openStorage, type TestStorage } from "../backup/real-storage.ts";
import { openMailServer } from "../delivery/mail-server.ts";
import { openReceiver } from "../delivery/receiver.ts";
import { type Desk, isBuilt, openDesk, type RunningServer } from "../journeys/desk.ts";
import { startFaultyProxy } from "../network/faulty-proxy.ts";

/** The command lines of all processes, as `ps` shows them, until it is ended. */
function watchProcesses(): { end(): Promise<ReadonlySet<string>> } {
  const seen = new Set<string>();
  let isOver = false;
  const look = () => {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        seen.add(readFileSync(`/proc/${name}/cmdline`, "utf8"));
      } catch {
        // It has ended.
      }
    }
  };
  const watching = (async () => {
    for (; !isOver; await Bun.sleep(5)) look();
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return seen;
    },
  };
}

/** A secret as it may be written. */
const writtenAs = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];

function* readAllFiles(folder: string): Generator<[string, Buffer]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield [path, readFileSync(path)];
    // What others read through is searched too.
    if (/\.zst$/.test(path))
      yield [`${path}, unpacked`, Bun.zstdDecompressSync(readFileSync(path))];
  }
}

describe.skipIf(!isBuilt || !hasStorage || process.platform !== "linux")(
  "no secret is seen",
  () => {
    let desk: Desk;
    let storage: TestStorage;
    let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
    let mail: Awaited<ReturnType<typeof openMailServer>>;
    let receiver: ReturnType<typeof openReceiver>;
    const secrets = new Map<string, string>();
    const mailPassword = `mail/${crypto.randomUUID()}+`;
    const printed: string[] = [];
    const hidden = (name: string) => join(desk.folder, "secrets", name);
    const keep = (name: string, secret: string) => {
      secrets.set(name, secret);
      writeFileSync(hidden(name), `${secret}\n`, { mode: 0o600 });
    };
    const type = async (...words: readonly string[]) => {
      const said = await desk.roster(...words, "--data", "data", "--config", "roster.toml");
      printed.push(`$ ${words.join(" ")}\n${said.stdout}${said.stderr}`);
      return said;
    };

    beforeAll(async () => {
      // By a variable, which no program that Roster starts may have.
      desk = openDesk({ ROSTER_MAIL_PASSWORD: mailPassword });
      storage = await openStorage();
      proxy = await startFaultyProxy(storage.port);
      mail = await openMailServer({ password: "another password" });
      receiver = openReceiver(
        () => secrets.get("webhook") ?? "",
        () => 500,
      );
      mkdirSync(join(desk.folder, "secrets"), { mode: 0o700 });
      mkdirSync(join(desk.folder, "dump"));
    });
    afterAll(async () => {
      await desk?.clear();
      await proxy?.stop();
      await storage?.stop();
      await mail?.close();
      receiver?.close();
    });

    const writeSettings = (recipient: string, more = "") =>
      writeFileSync(
        join(desk.folder, "roster.toml"),
        `logLevel = "debug"
       [s3]
       endpoint = "http://127.0.0.1:${proxy.port}"
       region = "${storage.region}"
       keyId = "${storage.keyId}"
       secretFile = "${hidden("storage")}"
       [mail]
       server = "smtp://127.0.0.1:${mail.port}"
       from = "roster@corp.example"
       user = "roster"
       [backup]
       every = "2s"
       recipients = "${recipient}"
       ${more}
       [[backup.copies]]
       id = "storage"
       to = "s3://${storage.bucket}/copies/"
       [[backup.copies]]
       id = "office"
       write = ["sh", "-c", "env >>'${desk.folder}/dump/environment'; cat >/dev/null; echo refused >&2; exit 3"]
       read = ["false"]
       list = ["true"]
       remove = ["true"]
       [[notify]]
       id = "mail"
       to = "mailto:ops@corp.example"
       [[notify]]
       id = "hook"
       to = "${receiver.url}"
       [[notify]]
       id = "page"
       command = ["sh", "-c", "env >>'${desk.folder}/dump/environment'; exit 3"]
      `,
      );

    /** What each of the parts says when it is refused. */
    async function provoke(server: RunningServer, identity: string): Promise<void> {
      const archive = `s3://${storage.bucket}/once.tar.zst.age`;
      await type("webhook", "list");
      await type("notify", "test");
      await type("notify", "list");
      await type("backup", archive);
      await type("backup", "--verify", archive, "--identity", hidden("identity"));
      await type("backup", "--list", `s3://${storage.bucket}/`);
      await type("status", "--json");
      await type("config", "show");
      // A key with a typo, a key that is not the right one, and none.
      writeFileSync(hidden("typo"), `${identity.slice(0, -1)}\n`, { mode: 0o600 });
      for (const file of ["typo", "mail", "storage", "none"])
        await type("backup", "--verify", archive, "--identity", hidden(file));
      await type("restore", archive, "--identity", hidden("typo"));
      await proxy.goAway();
      await type("backup", "--list", `s3://${storage.bucket}/`);
      await proxy.comeBack();
      // The key of the storage is another one, and then its file is open to everybody.
      secrets.set("old storage", secrets.get("storage") as string);
      keep("storage", `${secrets.get("storage")?.slice(0, -4)}abcd`);
      await type("reload");
      await type("backup", archive);
      await Bun.sleep(3000);
      chmodSync(hidden("storage"), 0o644);
      await type("backup", "--list", `s3://${storage.bucket}/`);
      await type("reload");
      chmodSync(hidden("storage"), 0o600);
      printed.push(server.log());
    }

    test("in lists of processes, logs, outputs, the data folder and backups, through refusals", async () => {
      const identity = await generateX25519Identity();
      keep("identity", identity);
      keep("storage", storage.secret);
      keep("mail", mailPassword);
      writeSettings(await identityToRecipient(identity));
      const processes = watchProcesses();
      const server = await desk.serve(
        "--data",
        "data",
        "--config",
        "roster.toml",
        "--port",
        "0",
        "--no-demo",
      );
      const hook = await desk.roster(
        "webhook",
        "add",
        receiver.url,
        "--allow-local",
        "--data",
        "data",
        "--json",
      );
      secrets.set("webhook", JSON.parse(hook.stdout).secret);
      const told = await desk.roster(
        "notify",
        "secret",
        "hook",
        "--data",
        "data",
        "--config",
        "roster.toml",
      );
      secrets.set("notify", /whsec_\S+/.exec(told.stdout)?.[0] as string);
      await provoke(server, identity);
      await desk.shell("sleep 0.3 # a process that is seen");
      // Settings that name a secret where none belongs.
      for (const more of [`identity = "${identity}"`, `secret = "${secrets.get("mail")}"`]) {
        writeSettings(identity, more);
        for (const words of [["config", "show"], ["reload"], ["backup", "-"]]) await type(...words);
      }
      writeSettings(identity);
      for (const words of [["config", "show"], ["reload"], ["backup", "x.tar.zst"]])
        await type(...words);
      await server.stop();
      const seen = [...(await processes.end())];
      expect(printed.join("\n")).toContain("once.tar.zst.age");

      const files = [...readAllFiles(desk.folder)];
      const isTheirs = ([path]: readonly [string, Buffer]) => path.includes("/secrets/");
      const search = (places: readonly (readonly [string, Buffer])[]) =>
        places.flatMap(([place, bytes]) =>
          [...secrets]
            .filter(([, secret]) => writtenAs(secret).some((each) => bytes.includes(each)))
            .map(([name]) => `${name} is in ${place}`),
        );
      const elsewhere = [
        ["the list of processes", Buffer.from(seen.join("\n"))] as const,
        ...printed.map((text) => [text.slice(0, text.indexOf("\n")), Buffer.from(text)] as const),
        ["the output of the server", Buffer.from(server.output() + server.log())] as const,
        ...files.filter((each) => !isTheirs(each) && !/\/roster(\.toml)?$/.test(each[0])),
      ];
      expect(search(elsewhere)).toEqual([]);
      // The search finds what is there.
      expect(search(files.filter(isTheirs))).toHaveLength(3);
      expect(seen.join()).toContain("# a process that is seen");
      expect(elsewhere.map(([place]) => place).join()).toContain(".tar.zst, unpacked");
      expect(readFileSync(join(desk.folder, "dump/environment"), "utf8")).toContain("PATH=");
      expect(server.log()).not.toContain("no backup was made");
      // A signed address is as good as the key, for an hour.
      expect(printed.filter((text) => /X-Amz-Signature/i.test(text))).toEqual([]);
    });
  },
);

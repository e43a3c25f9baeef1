/** Copies of backups elsewhere: sent, read back, kept by their terms, and never taken for whole before that. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import pino from "pino";
import { createServerBackups, openArchive } from "../../src/backup/backup.ts";
import { createCommandPlace } from "../../src/backup/places/command-place.ts";
import { ownBackup } from "../appliance.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { filledFolders, openFolder, testVersion } from "./folder.ts";

const newFolder = temporaryFolders();
const copyFilled = filledFolders();
const dayMs = 86_400_000;

interface Copy {
  readonly id: string;
  readonly keep?: number;
  readonly keepDaily?: number;
}

/** A server's backups and the folders of its copies. Each command is for a shell in the folder of its copy. */
async function open(copies: readonly Copy[], terms: object = {}, texts: object = {}) {
  const { data } = await copyFilled(newFolder());
  const [folder, places] = [newFolder(), newFolder()];
  const control = await openFolder(data);
  const lines: string[] = [];
  const state = { at: Date.parse("2026-11-22T10:00:00Z"), isSound: true, copies };
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const commands = {
    write: "cat > {name}",
    read: "cat {name}",
    list: "for f in *; do test -e $f && stat -c '%s %n' $f; done; true",
    remove: "rm -f {name}",
    ...texts,
  };
  const backups = createServerBackups({
    terms: () => ({
      ...{ ...ownBackup, everyMs: undefined, folder, keep: 2, ...terms },
      copies: state.copies,
    }),
    ...{ data, version: testVersion, now: () => new Date(state.at), log },
    ...{ records: control.control.folder, isFolderSound: () => state.isSound },
    openPlace(id) {
      const place = join(places, id);
      const away = "test ! -e ../away || { echo No route to host >&2; exit 255; }";
      const words = Object.entries(commands).map(([verb, text]) => [
        verb,
        ["sh", "-c", `mkdir -p ${place} && cd ${place} && ${away} && ${text}`],
      ]);
      return createCommandPlace(Object.fromEntries(words) as never, {
        ...{ label: `the command of ${id}`, environment: { PATH: process.env["PATH"] ?? "" } },
      });
    },
  });
  const list = (path: string) => (existsSync(path) ? readdirSync(path).sort() : []);
  return {
    ...{ backups, data, folder, state, log: () => lines.join("") },
    away: join(places, "away"),
    place: (id: string) => join(places, id),
    local: () => list(folder).filter((name) => !name.startsWith(".")),
    /** The files of a copy, without the instance and the number in their names. */
    there: (id: string) =>
      list(join(places, id))
        .map((name) => name.replace(/-[0-9a-f]{8}-\d+-/, "-"))
        .sort(),
    async make(hours = 24, by = "server") {
      await backups.make(by);
      state.at += hours * 3_600_000;
    },
    stateOf: (id: string) => backups.copies().find((one) => one.id === id),
    async [Symbol.asyncDispose]() {
      await backups.close();
      await control.close();
    },
  };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await Bun.sleep(10);
}

const named = (...days: readonly string[]) =>
  days.flatMap((day) => {
    const name = `roster-2026-11-${day}T100000Z.tar.zst`;
    return [name, `${name}.sha256`];
  });

test("what was away for three backups gets all of them, each read back", async () => {
  await using server = await open([{ id: "far" }], { keep: 3 });
  writeFileSync(server.away, "");
  server.backups.startSchedule();
  for (let turn = 0; turn < 3; turn++) await server.make();
  await until(() => server.stateOf("far")?.warning !== undefined);
  expect(server.stateOf("far")).toEqual({
    id: "far",
    warning:
      "backups are not copied to far: the command of far cannot list: No route to host (since 2026-11-22T10:00:00.000Z; the newest there: none)",
  });
  expect(server.there("far")).toEqual([]);
  expect(server.log().match(/is tried again/g)).toHaveLength(1);
  rmSync(server.away);
  server.backups.lookAgain();
  await until(() => server.stateOf("far")?.warning === undefined);
  expect(server.there("far")).toEqual(named("22", "23", "24"));
  expect(server.stateOf("far")).toEqual({
    id: "far",
    ...{ archives: 3, waiting: 0 },
    at: expect.stringContaining("24T10:00:00"),
  });
  const sent = [...server.log().matchAll(/"file":"[^"]*(\d\dT)[^"]*","msg":"a backup was copied/g)];
  expect(sent.map(([, day]) => day)).toEqual(["24T", "23T", "22T"]);
  for (const name of readdirSync(server.place("far")).filter((one) => one.endsWith(".zst"))) {
    expect((await openArchive(join(server.place("far"), name))).counts.people).toBeGreaterThan(0);
    const { exitCode } = Bun.spawnSync(["sha256sum", "-c", "--strict", `${name}.sha256`], {
      cwd: server.place("far"),
    });
    expect(exitCode).toBe(0);
  }
}, 300_000);

test("an archive without its checksum is no copy: it is sent again, whole", async () => {
  await using server = await open([{ id: "far" }]);
  await server.make();
  server.backups.startSchedule();
  await until(() => server.stateOf("far")?.archives === 1);
  const [name = ""] = readdirSync(server.place("far")).sort();
  const archive = join(server.place("far"), name);
  const whole = readFileSync(archive);
  // As a process leaves them that is killed while it sends the archive, or its checksum.
  for (const sum of [undefined, ""]) {
    writeFileSync(archive, whole.subarray(0, 100));
    rmSync(`${archive}.sha256`);
    if (sum !== undefined) writeFileSync(`${archive}.sha256`, sum);
    server.state.copies = [{ id: "far", keepDaily: sum === undefined ? 1 : 2 }];
    server.backups.lookAgain();
    expect(server.stateOf("far")?.archives).toBeUndefined();
    await until(() => server.stateOf("far")?.archives === 1);
    expect(readFileSync(archive).equals(whole)).toBe(true);
    expect(readFileSync(`${archive}.sha256`, "utf8")).toEndWith(`  ${name}\n`);
  }
}, 300_000);

test("an archive that comes back changed is no copy, and the old ones stay", async () => {
  await using server = await open(
    [{ id: "far", keep: 1 }],
    {},
    { read: "test -e ../bad && echo; cat {name}" },
  );
  await server.make();
  server.backups.startSchedule();
  await until(() => server.stateOf("far")?.archives === 1);
  writeFileSync(join(server.place("far"), "../bad"), "");
  await server.make();
  await until(() => server.stateOf("far")?.warning !== undefined);
  expect(server.stateOf("far")?.warning).toContain("does not give roster-");
  expect(server.stateOf("far")?.archives).toBe(1);
  expect(server.there("far")).toEqual([...named("22"), "roster-2026-11-23T100000Z.tar.zst"]);
  rmSync(join(server.place("far"), "../bad"));
  server.backups.lookAgain();
  await until(() => server.stateOf("far")?.warning === undefined);
  expect(server.there("far")).toEqual(named("23"));
}, 300_000);

test("each side keeps what its terms say, and a copy touches nothing of others", async () => {
  await using server = await open([
    { id: "long", keep: 1, keepDaily: 3 },
    { id: "short", keep: 1 },
  ]);
  server.backups.startSchedule();
  await until(() => server.backups.copies().every(({ archives }) => archives === 0));
  const foreign = ["roster-00000000-1-2020-01-01T000000Z.tar.zst", "notes", "roster.tar.zst"];
  for (const name of foreign) writeFileSync(join(server.place("short"), name), "mine");
  for (let turn = 0; turn < 8; turn++) {
    await server.make(12);
    await until(() =>
      ["long", "short"].every((id) =>
        server
          .stateOf(id)
          ?.at?.includes(new Date(server.state.at - dayMs / 2).toISOString().slice(0, 13)),
      ),
    );
  }
  await server.make(12, "boss");
  await until(() =>
    ["long", "short"].every((id) => server.there(id).join().includes("-manual.tar.zst.sha256")),
  );
  await Bun.sleep(200);
  const names = (id: string) => server.there(id).filter((name) => name.endsWith("zst"));
  expect(names("long")).toEqual([
    ...["23T220000Z", "24T220000Z", "25T220000Z", "26T100000Z-manual"].map(
      (at) => `roster-2026-11-${at}.tar.zst`,
    ),
  ]);
  expect(names("short").filter((name) => name.includes("2026"))).toEqual([
    ...["25T220000Z", "26T100000Z-manual"].map((at) => `roster-2026-11-${at}.tar.zst`),
  ]);
  for (const name of foreign)
    expect(readFileSync(join(server.place("short"), name), "utf8")).toBe("mine");
  expect(server.local()).toHaveLength(3);
}, 300_000);

test("a clock that was ahead and goes back lets the newest stay on both sides", async () => {
  await using server = await open([{ id: "far" }]);
  server.backups.startSchedule();
  await server.make();
  server.state.at += 365 * dayMs;
  await server.make();
  server.state.at -= 366 * dayMs;
  for (const day of ["2026-11-23T", "2026-11-24T"]) {
    await server.make();
    await until(() => server.there("far").join().includes(day) && server.there("far").length === 4);
  }
  expect(server.there("far")).toEqual(named("23", "24"));
  expect(server.local()).toHaveLength(2);
}, 300_000);

test("with known damage, nothing goes on either side", async () => {
  await using server = await open([{ id: "far", keep: 1 }], { keep: 1 });
  server.backups.startSchedule();
  server.state.isSound = false;
  for (let turn = 0; turn < 3; turn++) await server.make();
  await until(() => server.stateOf("far")?.archives === 3);
  expect(server.local()).toHaveLength(3);
  server.state.isSound = true;
  await server.make();
  await until(() => server.there("far").length === 2);
  expect(server.local().length).toBeLessThan(3);
}, 300_000);

test("an archive that a copy lacks stays in the folder, up to seven more", async () => {
  await using server = await open([{ id: "far" }], { keep: 1 });
  writeFileSync(server.away, "");
  server.backups.startSchedule();
  for (let turn = 1; turn <= 10; turn++) {
    await server.make();
    expect(server.local()).toHaveLength(Math.min(turn, 8));
  }
  rmSync(server.away);
  server.backups.lookAgain();
  await until(() => server.stateOf("far")?.archives === 1);
  await server.make();
  await until(() => server.stateOf("far")?.at?.includes("12-02") === true);
  await server.make();
  expect(server.local()).toHaveLength(1);
}, 300_000);

test("one that is slow holds up neither backups nor other copies, and ends with the server", async () => {
  const write = "case $PWD in */slow) cat > ../part; sleep 600;; *) cat > {name};; esac";
  await using server = await open([{ id: "slow" }, { id: "fast" }], { everyMs: dayMs }, { write });
  server.backups.startSchedule();
  for (let turn = 1; turn <= 3; turn++) {
    server.state.at += dayMs;
    server.backups.lookAgain();
    await until(() => server.stateOf("fast")?.archives === Math.min(turn, 2));
  }
  expect(server.there("slow")).toEqual([]);
  server.state.at += dayMs;
  expect(server.stateOf("slow")?.warning).toContain("backups are due every 86400 s");
  expect(server.stateOf("fast")?.warning).toBeUndefined();
}, 300_000);

test("with recipients, a copy is encrypted for them, and the folder is not", async () => {
  const identity = await generateIdentity();
  const recipients = [await identityToRecipient(identity)];
  await using server = await open([{ id: "far" }], { recipients });
  await server.make();
  server.backups.startSchedule();
  await until(() => server.stateOf("far")?.archives === 1);
  expect(server.there("far")).toEqual(
    ["", ".sha256"].map((end) => `roster-2026-11-22T100000Z.tar.zst.age${end}`),
  );
  const [name = ""] = readdirSync(server.place("far")).sort();
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(readFileSync(join(server.place("far"), name)));
  const [local = ""] = server.local();
  expect(readFileSync(join(server.folder, local)).equals(Buffer.from(plain))).toBe(true);
  expect(server.local()).toHaveLength(1);
}, 300_000);

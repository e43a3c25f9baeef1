/** Backups on the overview: made, listed, downloaded by an administrator with a password, refused otherwise, and audited. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp, openArchive } from "../../../../src/backup/backup.ts";
import { openTestAppliance, ownBackup } from "../../../appliance.ts";
import { fillFolder, testVersion } from "../../../backup/folder.ts";
import { expectAnswer, form, goodPassword, invited, type Page, readable } from "../person.ts";

const scratch = mkdtempSync(join(tmpdir(), "roster-backups-"));
const folder = join(scratch, "backups");
const config = { backup: { ...ownBackup, everyMs: undefined, folder, keep: 2 } };
const roster = await openTestAppliance({ folder: join(scratch, "data"), config });
const admin = await invited(roster, "boss@example.com", { administrator: true });
const accountId = (await roster.modules.accounts.find("boss@example.com"))?.id;
afterAll(async () => {
  await roster.close();
  rmSync(scratch, { recursive: true, force: true });
});

const archives = () => readdirSync(folder).sort();
const underWay = "Backup running, started";
/** Waits for a backup that takes longer than the page waits. */
async function waitUntilMade(person = admin) {
  while (readable((await person.open("/admin")).text).includes(underWay)) await Bun.sleep(50);
}
async function backUpNow() {
  const page = await admin.send("/admin", "back-up");
  await waitUntilMade();
  return page;
}
const download = (archive: string, more = {}) =>
  admin.send("/admin", "download-backup", { archive, ...more });
async function audited(action: string) {
  const { text } = await admin.open(`/admin/audit?format=jsonl&action=${action}`);
  const lines = text.trim().split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as { action: string; actor: string; detail: object });
}
const isDownload = ({ headers }: Page) => headers.get("content-disposition") !== null;

test("a folder that is not there is told of, at the button and among what needs somebody", async () => {
  const refused = await backUpNow();
  expect(refused.status).toBe(400);
  expect(readable(refused.text)).toContain(`${folder} does not exist.`);
  expect(readable((await admin.open("/admin")).text)).toContain("No backup was made:");
  mkdirSync(folder);
});

test("an administrator makes a backup, and the audit log says who", async () => {
  expect(readable((await admin.open("/admin")).text)).toContain("No backup was made:");
  const page = await backUpNow();
  expect(page.status).toBe(200);
  const said = readable(page.text);
  if (!said.includes(underWay)) {
    expect(said).toContain("Backup complete. You can download it below.");
  }
  expect(archives()).toHaveLength(1);
  const { text } = await admin.open("/admin");
  expect(text).toContain(archives()[0] as string);
  expect(readable(text)).not.toContain("No backup was made");
  expect((await audited("backup")).map(({ action, actor }) => [action, actor])).toEqual([
    ["backup.made", accountId as string],
    ["backup.started", accountId as string],
    ["backup.started", accountId as string],
  ]);
});

test("of two at once, the second is refused and says why", async () => {
  roster.clock.advance(1);
  const token = await admin.tokenOn("/admin");
  const ask = () => admin.ask("/admin", form({ token, act: "back-up" }));
  const pages = await Promise.all([ask(), ask()]);
  expect(pages.map(({ status }) => status).sort()).toEqual([303, 400]);
  const refused = pages.find(({ status }) => status === 400);
  expect(readable(refused?.text ?? "")).toContain("A backup is being made already");
  await waitUntilMade();
  expect(archives()).toHaveLength(2);
});

test("one under way is shown, and can be stopped: it leaves nothing", async () => {
  const before = archives();
  const token = await admin.tokenOn("/admin");
  const ask = (act: string) => admin.ask("/admin", form({ token, act }));
  // If the backup ends before the page shows it, another one is made.
  for (let isStopped = false, round = 0; !isStopped; round++) {
    expect(round).toBeLessThan(10);
    for (const name of archives().filter((one) => !before.includes(one)))
      rmSync(join(folder, name));
    roster.clock.advance(1);
    const made = ask("back-up");
    const { text } = await admin.open("/admin");
    const stopped = await ask("stop-backup");
    isStopped = stopped.status === 303 && readable(text).includes(underWay);
    if (isStopped) expect(text).toContain("Stop backup");
    await made;
    await waitUntilMade();
  }
  expect(archives()).toEqual(before);
  expect((await audited("backup.stopped"))[0]).toMatchObject({ actor: accountId });
  const page = await admin.send("/admin", "stop-backup");
  expectAnswer(page, 400, "No backup is running. The last one has ended.");
});

test("an archive is downloaded as it is, and the audit log has it", async () => {
  const [name = ""] = archives();
  const token = await admin.tokenOn("/admin");
  const sent = form({ token, act: "download-backup", archive: name });
  const request = new Request("http://127.0.0.1:7171/admin", sent);
  request.headers.set("cookie", [...admin.jar].map((pair) => pair.join("=")).join("; "));
  const answer = await roster.handle(request);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/zstd");
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const copy = join(scratch, "copy.tar.zst");
  await Bun.write(copy, answer);
  expect(await Bun.file(copy).bytes()).toEqual(await Bun.file(join(folder, name)).bytes());
  expect((await openArchive(copy)).counts.people).toBeGreaterThan(0);
  expect(await audited("backup.fetched")).toMatchObject([
    { actor: accountId, subject: name, detail: { bytes: Bun.file(copy).size } },
  ]);
});

test("only archives of this Roster in the folder are sent, whatever is asked for", async () => {
  const other = await fillFolder(join(scratch, "other"));
  const foreign = "roster-2020-01-01T000000Z.tar.zst";
  const now = () => new Date("2020-01-01");
  await backUp({ data: other.data, target: join(folder, foreign), version: testVersion, now });
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, "roster-2020-01-02T000000Z.tar.zst"), "no archive");
  const before = await audited("backup.fetched");
  for (const name of [
    ...[foreign, "notes.txt", "roster-2020-01-02T000000Z.tar.zst", "../data/control.db", "."],
    ...["/etc/passwd", `../backups/${archives().at(-2)}`, join(folder, archives().at(-2) ?? "")],
  ]) {
    const page = await download(name);
    expect([name, page.status, isDownload(page)]).toEqual([name, 400, false]);
    expect(readable(page.text)).toContain("no longer exists");
  }
  expect(await audited("backup.fetched")).toEqual(before);
  for (const name of [foreign, "notes.txt", "roster-2020-01-02T000000Z.tar.zst"]) {
    rmSync(join(folder, name));
  }
});

test("once the sign-in is old, the password is asked for again", async () => {
  roster.clock.advance(11 * 60);
  const [name = ""] = archives();
  const before = (await audited("backup.fetched")).length;
  expect((await admin.open("/admin")).text).toContain("Your password");
  for (const more of [{}, { password: "not my password" }]) {
    const page = await download(name, more);
    expect([page.status, isDownload(page)]).toEqual([400, false]);
  }
  expect(await audited("backup.fetched")).toHaveLength(before);
  const page = await download(name, { password: goodPassword });
  expect([page.status, isDownload(page)]).toEqual([200, true]);
  // The password opened a new session, under which the forms of the page still work.
  expect(isDownload(await download(name))).toBe(true);
});

test("the oldest go, but not while somebody may be downloading one", async () => {
  const [first = "", second = ""] = archives();
  roster.clock.advance(60);
  await backUpNow();
  // The first was downloaded a moment ago.
  expect(archives()).toHaveLength(3);
  expect(archives()).toContain(first);
  roster.clock.advance(7 * 3600);
  await admin.send("/sign-in", "sign-in", { email: "boss@example.com", password: goodPassword });
  await backUpNow();
  expect(archives()).toHaveLength(2);
  expect(archives()).not.toContain(first);
  expect(archives()).not.toContain(second);
});

test("where the settings forbid it, nobody downloads one", async () => {
  const data = join(scratch, "closed");
  const backup = { ...ownBackup, everyMs: undefined, folder: undefined, download: false };
  const closed = await openTestAppliance({ folder: data, config: { backup } });
  const boss = await invited(closed, "boss@example.com", { administrator: true });
  await boss.send("/admin", "back-up");
  await waitUntilMade(boss);
  const { text } = await boss.open("/admin");
  const [archive = ""] = readdirSync(join(data, "backups"));
  expect(text).toContain(archive);
  expect(readable(text)).toContain("turns downloads off");
  expect(text).not.toContain("download-backup");
  const page = await boss.send("/admin", "download-backup", { archive });
  expect([page.status, isDownload(page)]).toEqual([400, false]);
  await closed.close();
});

test("each copy elsewhere is shown with its newest archive, and a failing one is to do", async () => {
  const [data, far] = [join(scratch, "copied"), join(scratch, "far")];
  mkdirSync(far);
  const sh = (text: string) => ["sh", "-c", `cd '${far}' && ${text}`];
  const reading = { write: sh("cat > {name}"), read: sh("cat {name}"), list: sh("ls") };
  const commands = { ...reading, remove: sh("rm -f {name}") };
  const lost = { ...commands, id: "lost", list: sh("echo No route to host >&2; exit 255") };
  const copies = [{ ...commands, id: "far" }, lost];
  const backup = { ...ownBackup, everyMs: undefined, folder: undefined, copies };
  const userEnvironment = { PATH: process.env["PATH"] ?? "" };
  const config = { backup, userEnvironment };
  const copied = await openTestAppliance({ folder: data, config });
  const boss = await invited(copied, "boss@example.com", { administrator: true });
  await boss.send("/admin", "back-up");
  await waitUntilMade(boss);
  const read = async () => readable((await boss.open("/admin")).text);
  while (!/far .* 1 Up to date/.test(await read())) await Bun.sleep(20);
  const text = await read();
  expect(text).toContain(
    "Backups are not copied to lost: the command of lost cannot list: No route to host (since",
  );
  expect(text).toMatch(/lost None yet 0 Not up to date/);
  expect(text).not.toContain("This is the same disk");
  await copied.close();
}, 300_000);

test("a file of the folder that is damaged takes nobody the overview", async () => {
  const data = join(scratch, "damaged");
  const damaged = await openTestAppliance({ folder: data, config });
  const boss = await invited(damaged, "boss@example.com", { administrator: true });
  for (const name of ["forges.db", "ingest.db"]) writeFileSync(join(data, name), "no database");
  const { status, text } = await boss.open("/admin");
  expect(status).toBe(200);
  expect(readable(text)).toMatch(/The stored data about sources cannot be read: \S+forges\.db /);
  expect(readable(text)).toMatch(/It could not be checked whether people must be counted again: /);
  await damaged.close();
});

test("a folder that cannot be listed is told of, and the page stands", async () => {
  const data = join(scratch, "unlisted");
  const notes = join(scratch, "notes");
  writeFileSync(notes, "no folder");
  const backup = { ...config.backup, folder: notes };
  const unlisted = await openTestAppliance({ folder: data, config: { backup } });
  const boss = await invited(unlisted, "boss@example.com", { administrator: true });
  const { status, text } = await boss.open("/admin");
  expect(status).toBe(200);
  expect(readable(text)).toContain("The folder of backups cannot be read:");
  await unlisted.close();
});

test("a server without a folder says that there is nothing to back up", async () => {
  const memory = await openTestAppliance({ people: [] });
  const boss = await invited(memory, "boss@example.com", { administrator: true });
  const { text } = await boss.open("/admin");
  expect(readable(text)).toMatch(/There is nothing to back up|Roster does not back it up/);
  expect(text).not.toContain("Back up now");
  const refused = await boss.send("/admin", "back-up");
  expect(readable(refused.text)).toContain("has no data folder to back up");
  await memory.close();
});

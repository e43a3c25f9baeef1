/** Whom the settings file names is told by https, by mail or by a command. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import {
  createReceiverTransport,
  readReceiverSecret,
  tryReceiver,
} from "../../src/delivery/delivery.ts";
import { openMailServer } from "./mail-server.ts";
import { openReceiver } from "./receiver.ts";

const scratch = mkdtempSync(join(tmpdir(), "roster-receivers-"));
const control = openSqliteControlStore(":memory:");
afterAll(async () => {
  await control.close();
  rmSync(scratch, { recursive: true, force: true });
});

let server: string | undefined;
const parts = {
  ...{ control, now: () => new Date(), publicUrl: () => "https://roster.corp.example/x" },
  readMail: () => (server === undefined ? undefined : { url: server, from: "roster@corp.example" }),
  environment: { PATH: process.env["PATH"] ?? "", HOME: scratch, SSH_AUTH_SOCK: "/secret" },
};
type Given = { readonly to: string } | { readonly command: readonly string[] };
const open = (given: Given) => createReceiverTransport({ id: "ops", ...given }, parts);
const shell = (script: string) => open({ command: ["sh", "-c", script, "sh", "an argument"] });
const delivery = (state: string, ...texts: string[]) => {
  const since = "2026-11-30T10:00:00.000Z";
  const notices = texts.map((text) => ({ subject: text, text, since }));
  const body = JSON.stringify({
    type: "notice.repository",
    timestamp: since,
    data: { state, notices },
  });
  return { id: "msg_1", targetId: "nt_ops", body, createdMs: 0, dueMs: 0, attempts: 0 };
};
const soon = () => AbortSignal.timeout(5000);

test("a command gets the event on its input, its arguments, and no variable but three", async () => {
  const [heard, env] = [join(scratch, "heard"), join(scratch, "env")];
  const { body } = delivery("begun", "the disk is full");
  const send = shell(`cat > ${heard}; echo "$1" >> ${heard}; env > ${env}; yes | head -c 1000000`);
  expect(await send(delivery("begun", "the disk is full"), soon())).toBeUndefined();
  expect(readFileSync(heard, "utf8")).toBe(`${body}\nan argument\n`);
  const names = readFileSync(env, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]);
  // The shell adds two of its own.
  expect(names.filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name ?? "")).sort()).toEqual([
    "HOME",
    "LANG",
    "PATH",
  ]);
});

test("of a command that fails, the last line says why; one that is not there, or reads nothing, is told too", async () => {
  const fail = shell(
    "echo first >&2; yes x | head -c 100000 >&2; echo the pager is off. >&2; exit 3",
  );
  expect(await fail(delivery("begun", "x"), soon())).toBe("it failed: the pager is off");
  expect(await shell("exit 4")(delivery("begun", "x".repeat(300_000)), soon())).toBe(
    "it failed: exit code 4",
  );
  expect(await open({ command: ["/nowhere/pager"] })(delivery("begun", "x"), soon())).toMatch(
    /not found/,
  );
});

test("a command that does not end is killed, with what it started", async () => {
  const late = join(scratch, "late");
  const send = shell(`(sleep 1; touch ${late}) & sleep 30`);
  const outcome = await send(delivery("begun", "x"), AbortSignal.timeout(300)).catch(
    (error) => error.name,
  );
  expect(outcome).toBe("TimeoutError");
  await Bun.sleep(1200);
  expect(existsSync(late)).toBe(false);
});

test("https is signed with a secret that no database has, also on this machine", async () => {
  const secret = await readReceiverSecret(control, "ops");
  const receiver = openReceiver(
    () => secret,
    () => 200,
  );
  expect(await tryReceiver(open({ to: receiver.url }), new Date())).toBeUndefined();
  expect(receiver.received).toMatchObject([{ isRight: true }]);
  await receiver.close();
  const fault = await tryReceiver(open({ to: receiver.url }), new Date());
  expect(fault).toMatch(/^it could not be reached/);
});

test("a mail names the first, one line is each of them, and the page is at the end", async () => {
  expect(await tryReceiver(open({ to: "mailto:ops@corp.example" }), new Date())).toBe(
    "mail.server is not set",
  );
  const mails = await openMailServer({});
  server = `smtp://127.0.0.1:${mails.port}`;
  const send = open({ to: "mailto:ops@corp.example" });
  const many = Array.from({ length: 250 }, (_, n) => `/srv/r${n}.git: gone`);
  expect(await send(delivery("begun", "the disk is full"), soon())).toBeUndefined();
  expect(await send(delivery("over", ...many), soon())).toBeUndefined();
  await mails.close();
  const [one, other] = mails.mails;
  expect([one?.to, one?.from]).toEqual([["ops@corp.example"], "roster@corp.example"]);
  expect(one?.raw).toContain("\r\nSubject: Roster at roster.corp.example: the disk is full\r\n");
  const text = one?.raw.slice(one.raw.indexOf("\r\n\r\n") + 4).trim();
  expect(text).toBe(
    "the disk is full (since 2026-11-30 10:00 UTC)\r\n\r\nhttps://roster.corp.example/x/admin",
  );
  expect(other?.raw.replaceAll("\r\n ", " ")).toContain(
    "Roster at roster.corp.example: over: /srv/r0.git: gone and 249 more",
  );
  expect(other?.raw).toContain("and 50 more");
});

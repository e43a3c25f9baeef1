/** Mail of the real program about a saved search: from the page to a mail server with TLS, which is away for a while. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endServersAfterEach, freePort, program, startServer } from "../faults/server-process.ts";
import { hasOpenssl, makeAuthority } from "../ingest/forges/tls.ts";
import { goodPassword, openPersonAt, readable } from "../interfaces/web/person.ts";
import { inventPerson } from "../invented-people.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openMailServer } from "./mail-server.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

const email = "ada.keeps@corp.example";
const password = "secret-word-of-the-mail";

async function until(isTrue: () => boolean, what: string, seconds = 60): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`${what} did not come.`);
    await Bun.sleep(50);
  }
}

/** The text of a mail, without what its transport needs. */
const textOf = (raw: string) => raw.split("\r\n\r\n").slice(1).join("\n\n").replaceAll("=\r\n", "");

test.skipIf(!hasOpenssl)(
  "a confirmed address is told of new people, and an absent mail server loses nothing",
  async () => {
    const home = newFolder();
    const folder = join(home, "data");
    const run = async (...given: string[]) => {
      const child = Bun.spawn([...program, ...given, "--data", folder], { stderr: "ignore" });
      const out = await new Response(child.stdout).text();
      expect(await child.exited).toBe(0);
      return out;
    };
    const people = (...logins: string[]) => {
      const path = `${folder}.jsonl`;
      const sketch = { location: "Berlin, Germany" };
      const lines = logins.map((login) => inventPerson({ login, name: login, ...sketch }));
      writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
      return path;
    };
    const { tls, caFile } = makeAuthority(home);
    const secretFile = join(home, "mail.password");
    writeFileSync(secretFile, `${password}\n`, { mode: 0o600 });
    const port = await freePort();
    const openServer = () => openMailServer({ tls, secure: true, password, port });
    let server = await openServer();
    const trusting = ["env", `NODE_EXTRA_CA_CERTS=${caFile}`];
    const { address, pid, kill } = await startServer(folder, await freePort(), trusting, [
      ...["--mail-server", `smtps://localhost:${port}`, "--mail-from", "roster@corp.example"],
      ...["--mail-user", "roster", "--mail-password-file", secretFile],
    ]);
    await run("import", people("ann-sample"));

    const invitation = await run("account", "invite", email, "--plan", "pro");
    const token = /token=(\w+)/.exec(invitation)?.[1] ?? "";
    const ada = openPersonAt(address);
    await ada.send(`/invitation?token=${token}`, "redeem", { password: goodPassword });
    const saveSearch = async (name: string) =>
      (await ada.send("/saved", "save-search", { name, query: "location=Berlin" })).at;
    const first = await saveSearch("People in Berlin");
    await ada.send(first, "mail-on");
    await until(() => server.mails.length === 1, "The mail that asks");
    const [asking] = server.mails;
    expect(asking).toMatchObject({ to: [email], isSafe: true, user: "roster" });
    const link = new RegExp(`${address}(/saved/mail/\\w+)`).exec(textOf(asking?.raw ?? ""))?.[1];
    const confirmed = await ada.send(link ?? "", "confirm");
    expect(readable(confirmed.text)).toContain("Your address is confirmed.");

    await run("import", people("ann-sample", "ben-sample", "cleo-sample"));
    await until(() => server.mails.length === 2, "The mail about new people");
    const news = server.mails[1]?.raw ?? "";
    expect(news).toContain("Subject: Roster: 2 new people in People in Berlin\r\n");
    expect(textOf(news)).toContain(`${address}${first}`);
    expect(news).not.toMatch(/ben-sample|cleo-sample/);

    // The first search has told today. The second one tells when the mail server is back.
    const second = await saveSearch("More people");
    await ada.send(second, "mail-on");
    await server.close();
    await run("import", people("ann-sample", "ben-sample", "cleo-sample", "dan-sample"));
    const readAll = () => {
      const database = new Database(join(folder, "control.db"), { readonly: true });
      const rows = database
        .query<{ body: string; attempts: number; due_ms: number }, []>(
          "SELECT body, attempts, due_ms FROM webhook_delivery ORDER BY due_ms",
        )
        .all();
      const { fault } = database
        .query<{ fault: string | null }, []>("SELECT fault FROM webhook_target")
        .get() ?? { fault: null };
      database.close();
      return { rows, fault };
    };
    await until(() => readAll().fault !== null, "The fault");
    expect(readAll().fault).toBe("the mail server cannot be reached (ECONNREFUSED)");
    server = await openServer();
    await until(() => server.mails.length === 1, "The mail that waited");
    expect(server.mails[0]?.raw).toContain("Subject: Roster: 1 new person in More people\r\n");
    await until(() => readAll().rows.length === 1, "The end of what was sent");
    const [later] = readAll().rows;
    expect(later?.body).toBe(JSON.stringify({ search: first.split("/").at(-1) }));
    expect((later?.due_ms ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);

    // A mailbox that is gone is given up, and is no fault of the server's.
    const third = await saveSearch("Even more people");
    await ada.send(third, "mail-on");
    await server.close();
    let refused = 0;
    const refuse = () => {
      refused++;
      return { code: 550, text: `5.1.1 ${email} is unknown` };
    };
    server = await openMailServer({ tls, secure: true, password, port, refuse });
    await run("import", people("ann-sample", "ben-sample", "cleo-sample", "dan-sample", "eli"));
    await until(() => refused === 1, "The refusal");
    await until(() => readAll().rows.length === 2, "The end of what was refused");
    expect(readAll().fault).toBeNull();

    // The password is nowhere but in its file, and what waits has no address.
    const told =
      readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`${folder}.log`, "utf8");
    expect(told).not.toContain(password);
    expect(told).not.toContain(email);
    expect(Bun.spawnSync(["grep", "-rqaF", password, folder]).exitCode).toBe(1);
    await kill();
    await server.close();
  },
  180_000,
);

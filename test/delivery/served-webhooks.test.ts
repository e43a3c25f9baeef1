/** Webhooks of the real program: a command adds one, and other commands beside the server make the events. */
import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endServersAfterEach, freePort, program, startServer } from "../faults/server-process.ts";
import { inventPerson } from "../invented-people.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openReceiver } from "./receiver.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
let secret = "";
let status = 200;
const target = openReceiver(
  () => secret,
  () => status,
);
afterAll(() => target.close());

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`${what} did not come.`);
    await Bun.sleep(50);
  }
}

const heard = (type: string) =>
  target.received.map(({ body }) => JSON.parse(body)).filter((one) => one.type === type);

test("are told of imports, erasures and runs of commands, also of those before a crash", async () => {
  const folder = join(newFolder(), "data");
  const run = async (...given: string[]) => {
    const child = Bun.spawn([...program, ...given, "--data", folder, "--json"], {
      stderr: "ignore",
    });
    const out = await new Response(child.stdout).text();
    return { code: await child.exited, out };
  };
  const people = (...logins: string[]) => {
    const path = `${folder}.jsonl`;
    const lines = logins.map((login) => JSON.stringify(inventPerson({ login, name: login })));
    writeFileSync(path, lines.join("\n"));
    return path;
  };
  let server = await startServer(folder, await freePort());
  expect((await run("webhook", "add", target.url)).code).toBe(2);
  const added = JSON.parse((await run("webhook", "add", target.url, "--allow-local")).out);
  secret = added.secret;
  await run("webhook", "test", added.id);
  await until(() => heard("webhook.test").length === 1, "The test");
  await Bun.sleep(2500);
  expect((await run("import", people("ada", "ben"))).code).toBe(0);
  await until(() => heard("people.changed").length === 1, "The import");
  expect(heard("people.changed")[0].data).toMatchObject({ new: 2, removed: 0 });
  await until(() => heard("run.ended").length === 1, "The run's end");
  expect(heard("run.ended")[0].data).toMatchObject({ kind: "import", state: "done" });
  await server.kill();
  expect((await run("forget", "ada")).code).toBe(0);
  server = await startServer(folder, await freePort());
  await until(() => heard("person.erased").length === 1, "The erasure");
  expect(heard("person.erased")[0].data).toEqual({ login: "ada" });
  expect(heard("people.changed")[1].data).toMatchObject({ new: 0, erased: 1 });
  // No delivery but this one names somebody, and its login does not stay.
  const others = target.received.filter(({ body }) => !body.includes("person.erased"));
  expect(others.map(({ body }) => body).join()).not.toContain('"ada"');
  expect(target.received.every(({ isRight }) => isRight)).toBe(true);
  status = 500;
  await run("webhook", "test", added.id);
  await until(() => heard("webhook.test").length === 2, "The second test");
  await Bun.sleep(500);
  const { out } = await run("webhook", "list");
  expect(JSON.parse(out)).toMatchObject([{ waiting: 1, dead: 0, fault: "it answered 500" }]);
  const kept = Bun.spawnSync(["grep", "-rqaF", secret.slice(6), folder, `${folder}.log`]);
  expect(kept.exitCode).toBe(1);
  await server.kill();
}, 120_000);

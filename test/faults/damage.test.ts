import { afterEach, beforeAll, expect, test } from "bun:test";
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/contract/fault.ts";
import { describeFault } from "../../src/interfaces/cli/exit-code.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { makeFolder } from "../temporary-folder.ts";

const open: TestAppliance[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
const newFolder = temporaryFolders();

const people = Array.from({ length: 300 }, (_, n) => {
  const like = inventedPeople[n % inventedPeople.length] as (typeof inventedPeople)[number];
  return { ...like, login: `person-${n}`, emails: [] };
});

async function serve(folder: string, filled = true): Promise<TestAppliance> {
  const appliance = await openTestAppliance({ folder, people: filled ? [] : people });
  open.push(appliance);
  return appliance;
}

const first = join(makeFolder("damage"), "data");
beforeAll(async () => {
  await (await serve(first, false)).close();
  open.splice(0);
}, 300_000);

/** A folder whose server was stopped: a copy of one that was filled. */
function fillFolder(): string {
  const folder = join(newFolder(), "data");
  cpSync(first, folder, { recursive: true });
  return folder;
}

/** Flips 32 bytes of every page in the middle third of a file. */
function flip(path: string): void {
  const bytes = readFileSync(path);
  const file = openSync(path, "r+");
  const pages = Math.floor(bytes.length / 4096);
  for (let page = Math.floor(pages / 3); page < (2 * pages) / 3; page++) {
    const at = page * 4096 + 2048;
    writeSync(
      file,
      bytes.subarray(at, at + 32).map((byte) => byte ^ 0xff),
      0,
      32,
      at,
    );
  }
  closeSync(file);
}

async function listReasons({ handle }: TestAppliance): Promise<readonly string[]> {
  const answer = await handle(new Request("http://127.0.0.1/readyz"));
  const { reasons = [] } = (await answer.json()) as { reasons?: string[] };
  expect(answer.status).toBe(reasons.length === 0 ? 200 : 503);
  return reasons;
}

/** Waits for the check in the background, which begins by itself after a start. */
async function awaitReasons(appliance: TestAppliance): Promise<readonly string[]> {
  for (;;) {
    const reasons = await listReasons(appliance);
    if (reasons.length > 0) return reasons;
    await Bun.sleep(50);
  }
}

test("bytes flipped in the middle of pool.db are found in the background, named, and not ready", async () => {
  const folder = fillFolder();
  flip(join(folder, "pool.db"));
  const appliance = await serve(folder);
  expect(await listReasons(appliance)).toEqual([]);
  const reasons = await awaitReasons(appliance);
  expect(reasons).toEqual([
    expect.stringMatching(/^pool\.db is damaged: .*rows about developers.* Restore a backup/),
  ]);
  expect(appliance.log()).toContain("pool.db is damaged");
  expect(appliance.log()).not.toMatch(/person-\d/);
}, 300_000);

test("a read that meets damage answers 500 in the envelope, and turns readiness red at once", async () => {
  const folder = fillFolder();
  flip(join(folder, "pool.db"));
  const appliance = await serve(folder);
  const { key } = await appliance.newAccount("enterprise");
  let failed = 0;
  for (const { login } of people) {
    const request = new Request(`http://127.0.0.1/v1/users/${login}`, {
      headers: { "x-api-key": key },
    });
    const answer = await appliance.handle(request);
    if (answer.status !== 500) continue;
    failed++;
    const body = (await answer.json()) as { error: object };
    expect(body.error).toEqual({ code: "internal", message: "Unexpected server error." });
    if (failed > 1) continue;
    expect(await listReasons(appliance)).toEqual([
      expect.stringMatching(/^pool\.db is damaged: .* Restore a backup/),
    ]);
  }
  expect(failed).toBeGreaterThan(0);
  expect(appliance.log()).toMatch(/pool\.db is damaged: (a row does not|database disk image)/);
  expect(appliance.log()).not.toMatch(/person-\d|JSON Parse/);
}, 300_000);

const harms: Readonly<Record<string, (path: string) => void>> = {
  "cut in half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  "cut to nothing": (path) => truncateSync(path, 0),
  "without its header": (path) => {
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(100), 0, 100, 0);
    closeSync(file);
  },
  "a text": (path) => writeFileSync(path, "Dear diary, today I was no database.\n".repeat(300)),
};

for (const [what, harm] of Object.entries(harms)) {
  for (const name of ["control.db", "pool.db"]) {
    test(`${name} that is ${what}: refused at the start or found, in one line that names it`, async () => {
      const folder = fillFolder();
      harm(join(folder, name));
      const said = await openTestAppliance({ folder, people: [] }).then(
        async (appliance) => {
          open.push(appliance);
          return (await awaitReasons(appliance)).join();
        },
        (error: unknown) => {
          if (!(error instanceof Fault)) throw error;
          const { exitCode, text } = describeFault(error);
          expect(exitCode).toBe(5);
          return text;
        },
      );
      expect(said).toContain(name);
      expect(said).not.toContain("\n");
      expect(said).toMatch(/damaged|truncated|no database|no Roster/);
    }, 300_000);
  }

  test(`search.index that is ${what}: built again, with one line in the log`, async () => {
    const folder = fillFolder();
    harm(join(folder, "search.index"));
    const appliance = await serve(folder);
    const { status, body } = await appliance.client.search({ location: "Berlin" });
    expect([status, body.data.totalCount > 0]).toEqual([200, true]);
    expect(await listReasons(appliance)).toEqual([]);
    expect(appliance.log()).toMatch(/search index (is|has) [^"]*; building it from the pool/);
  }, 300_000);
}

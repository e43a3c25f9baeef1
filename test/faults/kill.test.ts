/**
 * The promise under test: what was acknowledged is true after any crash. 24 clients and a stream of key changes run against the
 * real program; all are killed at a random instant, again and again; an oracle that knows only the answers compares.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { followLines } from "../child-output.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { until } from "./callers.ts";
import { openOffice } from "./office.ts";
import { openOracle } from "./oracle.ts";
import {
  endServersAfterEach,
  freePort,
  type ServerProcess,
  startServer,
} from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const rounds = isLong ? 15 : 2;
const clients = 24;
const smallLimit = isLong ? 900 : 60;
const random = createRandom(drawSeed("kill -9"));

interface Holder {
  readonly email: string;
  key: string;
  readonly deadKeys: string[];
}

function ask(server: ServerProcess, key: string): Promise<Response> {
  const headers = { "x-api-key": key };
  return fetch(`${server.address}/v1/users/nobody`, { headers });
}

/** One client: asks until the server is gone. */
async function askOnAndOn(
  server: ServerProcess,
  holders: readonly Holder[],
  oracle: ReturnType<typeof openOracle>,
): Promise<void> {
  for (;;) {
    const holder = holders[Math.floor(random() * holders.length)] as Holder;
    const { email, key, deadKeys } = holder;
    // One call in ten tries a key whose end was acknowledged before the call went out.
    const dead = random() < 0.1 ? deadKeys.at(-1) : undefined;
    if (!dead) oracle.sent(email);
    try {
      const response = await ask(server, dead ?? key);
      const body = (await response.json()) as {
        meta: { quota: { used: number; limit: number; month: string } };
      };
      if (dead && response.status !== 401) {
        oracle.violations.push(`${email}: a dead key was answered ${response.status}`);
      } else if (response.status === 404) {
        oracle.acknowledged(email, body.meta.quota);
      } else if (response.status === 401 && !dead && holder.key === key) {
        // The key was changed, and the line that says so has not arrived yet.
        await Bun.sleep(5);
      } else if (response.status !== 401 && response.status !== 429) {
        oracle.violations.push(`${email}: ${response.status} ${JSON.stringify(body)}`);
      }
    } catch {
      return;
    }
  }
}

/** Starts a process that acknowledges what it does by lines, until it is killed. */
function startActing(
  script: string,
  argv: readonly string[],
  hear: (line: string) => void,
): { kill(): Promise<void> } {
  const command = [process.execPath, join(import.meta.dir, script), ...argv];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const followed = followLines(child.stdout, hear);
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await Promise.all([child.exited, followed]);
    },
  };
}

test(`kill -9 under load, ${rounds} rounds: nothing acknowledged is lost, no limit is passed`, async () => {
  const folder = join(newFolder(), "data");
  const port = await freePort();
  const oracle = openOracle();
  let server = await startServer(folder, port);
  const office = await openOffice(folder);
  const emails = ["ada", "bob", "cyd", "dan"].map((name) => `${name}@example.com`);
  const holders: Holder[] = await Promise.all(
    emails.map(async (email, index) => ({
      email,
      deadKeys: [],
      key: (
        await office.accounts.create({
          ...{ email, plan: "enterprise", callsPerDay: "unlimited" },
          ...(index === 0 ? { callsPerMonth: smallLimit } : {}),
        })
      ).key,
    })),
  );

  const changes = () => holders.reduce((sum, { deadKeys }) => sum + deadKeys.length, 0);

  for (let round = 0; round < rounds; round += 1) {
    const argv = [join(folder, "control.db"), ...emails.slice(2)];
    const changing = startActing("regenerating-child.ts", argv, (line) => {
      const [email, key] = line.split(" ") as [string, string];
      const holder = holders.find((one) => one.email === email) as Holder;
      holder.deadKeys.push(holder.key);
      holder.key = key;
    });
    const asking = Array.from({ length: clients }, () => askOnAndOn(server, holders, oracle));
    const { acknowledged } = oracle.totals();
    const changed = changes();
    // A round in which nothing happened would prove nothing.
    await until(
      () =>
        oracle.totals().acknowledged - acknowledged >= (isLong ? 300 : 150) && changes() > changed,
    );
    await Bun.sleep(random() * 500);
    await Promise.all([server.kill(), changing.kill(), ...asking]);

    server = await startServer(folder, port);
    const sqlite = new Database(join(folder, "control.db"), { readonly: true });
    const check = sqlite.query("PRAGMA integrity_check").get();
    expect(check).toEqual({ integrity_check: "ok" });
    sqlite.close();
    for (const { email, key, deadKeys } of holders) {
      oracle.compare(email, await office.usedBy(email));
      for (const dead of deadKeys) {
        expect([email, dead, (await ask(server, dead)).status]).toEqual([email, dead, 401]);
      }
      // A key change that was interrupted is done or not: never do both keys work.
      if (!(await office.accounts.authenticate(key))) deadKeys.push(key);
    }
    for (const holder of holders) {
      if (holder.deadKeys.includes(holder.key)) {
        holder.key = await office.accounts.regenerateKey(holder.email);
      }
    }
    expect(oracle.violations).toEqual([]);
  }
  await server.kill();
  const { used, limit } = await office.usedBy(emails[0] as string);
  expect(used).toBeLessThanOrEqual(limit);
  const { sent, acknowledged } = oracle.totals();
  process.stdout.write(
    `${rounds} kills, ${sent} sent, ${acknowledged} acknowledged, ${changes()} key changes\n`,
  );
  office.close();
}, 900_000);

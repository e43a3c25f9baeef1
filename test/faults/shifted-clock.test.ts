/**
 * The real program under libfaketime, which stands between it and the system's clock: its calendar is the test's,
 * its timers stay real.
 */
import { expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const library = findLibrary();
const skipped = "(skipped without faketime, as Debian packages it)";

/** The command knows where its library lies. */
function findLibrary(): string | undefined {
  if (!Bun.which("faketime")) return undefined;
  const shown = Bun.spawnSync(["faketime", "-m", "-f", "+0", "printenv", "LD_PRELOAD"]);
  return shown.stdout.toString().trim() || undefined;
}

/** A folder with a clock of its own, which stands where it is set in UTC, for a server and for commands. */
function openClock(instant: string, zone = "UTC") {
  const folder = join(newFolder(), "data");
  const file = `${folder}.clock`;
  // The library reads local time; Sweden writes it as the library wants it.
  const set = (to: string) => {
    const local = new Date(`${to}Z`).toLocaleString("sv-SE", { timeZone: zone });
    // At once: a server that looks meanwhile must find one of the two instants.
    writeFileSync(`${file}.next`, `${local}\n`);
    renameSync(`${file}.next`, file);
  };
  const under = [
    ...["env", `TZ=${zone}`, `LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${file}`],
    ...["FAKETIME_NO_CACHE=1", "DONT_FAKE_MONOTONIC=1"],
  ];
  set(instant);
  const run = (...args: string[]) => {
    const command = [...under, ...program, ...args, "--data", folder];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString().trim();
  };
  return {
    set,
    run,
    start: async () => startServer(folder, await freePort(), under, [], program),
    newKey: (email: string, perMonth: number, perDay: number) => {
      const limits = ["--calls-per-month", String(perMonth), "--calls-per-day", String(perDay)];
      return run("account", "create", email, "--plan", "pro", ...limits);
    },
    log: () => readFileSync(`${folder}.log`, "utf8"),
  };
}

interface Asked {
  readonly status: number;
  readonly quota: { readonly used: number; readonly month: string };
  readonly retryAfter: string | null;
}

async function ask(address: string, key: string): Promise<Asked> {
  const response = await fetch(`${address}/v1/users/nobody`, { headers: { "x-api-key": key } });
  const { meta } = (await response.json()) as { meta: Pick<Asked, "quota"> };
  const { used, month } = meta.quota;
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, quota: { used, month }, retryAfter };
}

const counted = (used: number, month: string): Asked => {
  return { status: 404, quota: { used, month }, retryAfter: null };
};
const refused = (used: number, month: string, retryAfter: number): Asked => {
  return { status: 429, quota: { used, month }, retryAfter: String(retryAfter) };
};
const daySeconds = 86_400;

test.skipIf(!library).each(["UTC", "America/Los_Angeles"])(
  `rolls over at the end of a month, of a year and of a leap day in UTC, to the second, in %s ${skipped}`,
  async (zone) => {
    const clock = openClock("2027-01-31T12:00:00", zone);
    const keys = Array.from({ length: 5 }, (_, index) =>
      clock.newKey(`${index}@example.com`, 3, 2),
    );
    const { address } = await clock.start();
    const cases = [
      ["2027-01-31", "2027-02-01"],
      ["2027-02-28", "2027-03-01"],
      ["2028-02-28", "2028-02-29"],
      ["2028-02-29", "2028-03-01"],
      ["2028-12-31", "2029-01-01"],
    ] as const;
    for (const [index, [last, next]] of cases.entries()) {
      const key = keys[index] as string;
      const [before, after] = [last.slice(0, 7), next.slice(0, 7)];
      clock.set(`${last}T00:00:00`);
      expect(await ask(address, key)).toEqual(counted(1, before));
      clock.set(`${last}T23:59:59`);
      expect(await ask(address, key)).toEqual(counted(2, before));
      expect(await ask(address, key)).toEqual(refused(2, before, 1));
      clock.set(`${next}T00:00:00`);
      const isNewMonth = before !== after;
      expect(await ask(address, key)).toEqual(counted(isNewMonth ? 1 : 3, after));
      if (isNewMonth) expect(await ask(address, key)).toEqual(counted(2, after));
      // The day's end, or the month's: on 29 February they are the same.
      expect(await ask(address, key)).toEqual(refused(isNewMonth ? 2 : 3, after, daySeconds));
    }
  },
  300_000,
);

test.skipIf(!library)(
  `a clock that goes back over a month's end refills nothing, until somebody accepts it ${skipped}`,
  async () => {
    const clock = openClock("2028-03-01T00:10:00");
    const key = clock.newKey("ada@example.com", 4, 100);
    const { address } = await clock.start();
    const readiness = async () => (await fetch(`${address}/readyz`)).status;
    expect(await ask(address, key)).toEqual(counted(1, "2028-03"));

    clock.set("2028-02-29T23:50:00");
    expect(await ask(address, key)).toEqual(counted(2, "2028-03"));
    expect(clock.log()).toContain("the clock went back");
    expect(await readiness()).toBe(200);

    clock.set("2028-02-26T12:00:00");
    expect(await ask(address, key)).toEqual(counted(3, "2028-03"));
    expect(await readiness()).toBe(503);
    expect(await ask(address, key)).toEqual(counted(4, "2028-03"));
    const untilApril = (Date.parse("2028-04-01") - Date.parse("2028-02-26T12:00Z")) / 1000;
    expect(await ask(address, key)).toEqual(refused(4, "2028-03", untilApril));

    clock.run("clock", "accept");
    expect(await readiness()).toBe(200);
    expect(await ask(address, key)).toEqual(counted(1, "2028-02"));
    // March comes as it was left.
    clock.set("2028-03-01T00:00:00");
    expect(await ask(address, key)).toEqual(refused(4, "2028-03", 31 * daySeconds));
  },
  300_000,
);

/** The real wiring for tests: nothing is mocked, only the clock is the test's and the people are invented. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { OwnLimits } from "../src/accounts/accounts.ts";
import { type Appliance, inMemory, openAppliance } from "../src/appliance/appliance.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import type { planNames } from "../src/contract/limits.ts";
import type { Facts } from "../src/contract/people/facts.ts";
import { databaseNames } from "../src/data-files/file-names.ts";
import { type ApiClient, openApiClient } from "./api-client.ts";
import { requireCleanLog } from "./clean-log.ts";
import { inventedAuthors, inventedRepository } from "./invented-authorship.ts";
import { inventedPeople, testNow } from "./invented-people.ts";
import { hasPostgres, newDatabase } from "./postgres/database.ts";
import { placeReadyDemo } from "./ready-demo.ts";

export interface TestOptions {
  /** Default: the invented people. */
  readonly people?: readonly Facts[];
  /** A folder on disk instead of memory: removed at the end unless it was given. */
  readonly folder?: string | true;
  readonly config?: Partial<Config>;
  /** Instant the clock stands at first. */
  readonly now?: string;
  /** The command that runs this program, for what a server does in a child. Default: it does it itself. */
  readonly self?: readonly string[];
}

export interface TestAppliance extends Appliance {
  readonly client: ApiClient;
  readonly clock: TestClock;
  readonly config: Config;
  /** One request, in memory. */
  handle(request: Request): Promise<Response>;
  /** A fresh account with a name of its own. */
  newAccount(plan: (typeof planNames)[number], limits?: OwnLimits): Promise<TestAccount>;
  /** Everything logged so far. */
  log(): string;
  /** Listens on a free port of this machine, and gives the address. */
  listen(): string;
}

export interface TestAccount {
  readonly email: string;
  readonly key: string;
}

/** Stands still until a test moves it. */
export class TestClock {
  #now: Date;
  constructor(instant: string) {
    this.#now = new Date(instant);
  }
  readonly now = (): Date => new Date(this.#now);
  set(instant: string): void {
    this.#now = new Date(instant);
  }
  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}

/** TEST_CONTROL=postgres keeps the accounts of every appliance without a folder in a database of its own. */
const onPostgres = process.env["TEST_CONTROL"] === "postgres" && hasPostgres;

export async function openTestAppliance(options: TestOptions = {}): Promise<TestAppliance> {
  const clock = new TestClock(options.now ?? testNow);
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const isDemo = canBeReady(options);
  const isMade = options.folder === true || isDemo;
  const made = isMade ? mkdtempSync(join(tmpdir(), "roster-test-")) : undefined;
  if (made && isDemo) placeReadyDemo(join(made, databaseNames.pool), clock.now());
  const hasFolder = made !== undefined || options.folder !== undefined;
  const config = testConfig({
    data: made ?? (options.folder as string) ?? inMemory,
    ...(hasFolder || !onPostgres ? {} : { database: { url: await newDatabase(), connections: 4 } }),
    ...options.config,
  });
  let ids = 0;
  const newId = () => `test${++ids}`;
  const appliance = await openAppliance(config, {
    now: clock.now,
    newId,
    log,
    version: "0.0.0-test",
    ...(options.self === undefined ? {} : { self: options.self }),
  });
  await fill(appliance, options.people ?? inventedPeople, clock);
  // A folder that was filled before has some already.
  const known = await appliance.modules.accounts.list();
  let accounts = known.filter(({ email }) => /^account\d+@/.test(email)).length;
  const newAccount: TestAppliance["newAccount"] = async (plan, limits = {}) => {
    const email = `account${++accounts}@example.com`;
    const known = await appliance.modules.accounts.find(email);
    // A folder that was opened before has it.
    if (known) return { email, key: await appliance.modules.accounts.regenerateKey(email) };
    const { key } = await appliance.modules.accounts.create({ email, plan, ...limits });
    return { email, key };
  };
  const { key } = await newAccount("enterprise", { callsPerDay: "unlimited" });
  return {
    ...appliance,
    clock,
    config,
    newAccount,
    client: await openApiClient(appliance.http.handle, key),
    handle: appliance.http.handle,
    log: () => lines.join(""),
    listen: () => appliance.http.listen(config),
    close: async () => {
      await appliance.close();
      requireCleanLog(lines.join(""), "the log");
      if (made) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** What a folder or a server is opened with besides its settings; nothing is logged. */
export const silentAround = (now: () => Date) => ({
  ...{ now, newId: () => crypto.randomUUID(), version: "0.0.0-test" },
  log: pino({ level: "silent" }),
});

/** The defaults of how backups are kept. */
export const ownBackup = {
  ...{ keep: 7, keepDaily: 0, keepWeekly: 0, keepMonthly: 0, download: true },
  ...{ recipients: undefined, copies: [] },
};

/** A free port, no demo people, nothing counted that the API document does not count. */
export function testConfig(own: Partial<Config> & { readonly data: string }): Config {
  return {
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1:0",
    demo: false,
    isStartedByServer: false,
    securityContact: undefined,
    adminKeyFile: undefined,
    adminKey: undefined,
    ...{ logLevel: "debug", logFile: undefined },
    signIn: { signUp: "invitation", assistantsRegister: true, providers: [] },
    assistants: {
      privateRedirects: ["cursor://anysphere.cursor-mcp/oauth/callback"],
      registrationsPerHour: 20,
    },
    trustedProxies: [],
    ...{
      settingsFile: undefined,
      sources: [],
      notify: [],
      environment: {},
      userEnvironment: {},
      secretFiles: {},
    },
    // As the page of settings shows them; the values are those of a server that was given none.
    described: readConfig({}, {}).config.described,
    s3: {
      ...{ endpoint: undefined, region: "us-east-1", keyId: undefined },
      ...{ secretFile: undefined, secret: undefined, allowHttp: false },
    },
    mail: {
      ...{ server: undefined, from: undefined, user: undefined },
      ...{ passwordFile: undefined, password: undefined },
    },
    changes: { keepDays: 90 },
    keep: { runsDays: 400, leftoversDays: 30 },
    quota: { countInvalid: false, trialDays: undefined, lookupsPerMinute: 120 },
    mcp: { apiKeys: true, detail: "full" },
    database: { url: undefined, connections: 4 },
    search: { engine: "memory" },
    callsAtOnce: 256,
    tls: { certFile: undefined, keyFile: undefined },
    webhooks: { send: true },
    metrics: { listen: undefined, tokenFile: undefined },
    traces: { endpoint: undefined },
    backup: { ...ownBackup, everyMs: undefined, folder: undefined },
    analysis: { modelFile: undefined },
    ingest: { timeoutMs: 3_600_000, gitMemoryMiB: 2048, roots: undefined },
    identity: {
      ...{ aliasFile: undefined, classFile: undefined, names: "repository" },
      publishCommitEmails: false,
    },
    ...own,
  };
}

/** Whether the demo people, and nobody else, are in a folder or memory of the test's own. */
function canBeReady({ people, folder, config }: TestOptions): boolean {
  const isOwn = folder === undefined || folder === true;
  return isOwn && config?.demo === true && people?.length === 0 && !onPostgres && !config.database;
}

async function fill(
  { modules, judge }: Appliance,
  people: readonly Facts[],
  clock: TestClock,
): Promise<void> {
  if (people.length === 0) return;
  const assess = judge(clock.now().toISOString().slice(0, 10));
  const load = await modules.pool.beginImport("test");
  await load.put(people.map(assess));
  await load.commit();
  await modules.search.refresh();
  if (people !== inventedPeople) return;
  await modules.pool.authorship.replace(inventedRepository);
  await modules.pool.authorship.nameAuthors(inventedRepository.key, inventedAuthors);
}

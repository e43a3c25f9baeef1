/** Opens a PostgreSQL database and runs statements. Work is retried only if the first attempt has certainly done nothing. */
import { SQL } from "bun";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { Fault, isFault } from "../contract/fault.ts";
import { type Address, type AddressSettings, addRenewal, createAddress } from "./address.ts";
import {
  classifyFailure,
  createAwayFault,
  isRefusedUser,
  SilentServer,
  toDatabaseFault,
} from "./database-failure.ts";

export interface PostgresSettings extends AddressSettings {
  /** The maximum number of connections that this node opens for each of its stores, such as the pool. */
  readonly connectionsMax: number;
  /** The time limit for a statement. A transaction has three times as long. The default is 20 seconds. */
  readonly answerMsMax?: number;
}

/** A query builder for a connection of the pool or of a transaction. */
export type Statements = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export interface PostgresDatabase {
  readonly orm: BunSQLDatabase;
  readonly sql: SQL;
  /** The database's name in messages, without user and password. */
  readonly place: string;
  /** Runs read-only work, and retries it if the connection was lost. @throws Fault `database_away`. */
  read<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  /**
   * Runs one statement that commits by itself. @throws Fault `database_away` if nothing was done.
   * @throws Fault `outcome_unknown` if the statement may have been done.
   */
  commitOne<Result>(statement: (statements: Statements) => Promise<Result>): Promise<Result>;
  /** Runs the work in a transaction. Retries the whole work if its commit was not sent yet. @throws like `commitOne`. */
  transact<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  /** Reserves a connection for long work. Statements on it have no retries and no time limit. */
  reserve(): Promise<PostgresSession>;
  close(): Promise<void>;
}

/** One connection. After its loss, every statement on it fails. @throws like `PostgresDatabase`. */
export interface PostgresSession extends Pick<PostgresDatabase, "read" | "commitOne" | "transact"> {
  readonly orm: Statements;
  /** For statements that drizzle cannot express, such as COPY. */
  readonly sql: SQL;
  release(): void;
}

/**
 * Opens the database, and checks that it can be used.
 * @throws Fault `database_away` if the database cannot be reached or written. @throws Fault `database` if it is unfit.
 */
export async function openPostgres(settings: PostgresSettings): Promise<PostgresDatabase> {
  const { place, connect, address } = readSettings(settings);
  const { sql, replace, renew } = createClient(connect, address);
  const { answerMsMax = 20_000 } = settings;
  try {
    await waitFor(requireUsable(sql, place), answerMsMax, () => {});
  } catch (error) {
    await sql.close({ timeout: 0 });
    // Nothing was done yet, so the outcome is known.
    const isLost = classifyFailure(error) === "lost";
    throw isLost ? createAwayFault(error, place) : toDatabaseFault(error, place);
  }
  const orm = drizzle(sql);
  const endRenewal = addRenewal(renew);
  /** Runs the attempt, and repeats it if that is safe. After `msMax`, it closes the connections. */
  const run = <Result>(attempt: () => Promise<Result>, msMax = answerMsMax): Promise<Result> =>
    repeat(() => waitFor(attempt(), msMax, replace), { place, renew }).catch((error) => {
      throw toDatabaseFault(error, place);
    });
  return {
    ...{ orm, sql, place },
    read: (work) => {
      const attempt = () =>
        work(orm as Statements).catch((error) => {
          throw classifyFailure(error) === "lost" ? new Lost(error) : error;
        });
      return run(attempt).catch((error) => {
        throw isFault(error, "outcome_unknown") ? createAwayFault(error.cause, place) : error;
      });
    },
    commitOne: (statement) => run(() => statement(orm as Statements)),
    transact: (work) => {
      const attempt = async () => {
        let isCommitting = false;
        try {
          return await orm.transaction(async (statements) => {
            const result = await work(statements as Statements);
            isCommitting = true;
            return result;
          });
        } catch (error) {
          throw !isCommitting && classifyFailure(error) === "lost" ? new Lost(error) : error;
        }
      };
      return run(attempt, 3 * answerMsMax);
    },
    reserve: () => run(() => reserve(sql, place)),
    close: () => {
      endRenewal();
      return sql.close({ timeout: 5 });
    },
  };
}

async function reserve(sql: SQL, place: string): Promise<PostgresSession> {
  const connection = await sql.reserve();
  const orm = drizzle(connection);
  const fail = (error: unknown) => {
    throw toDatabaseFault(error, place);
  };
  return {
    orm: orm as Statements,
    sql: connection,
    read: (work) => work(orm as Statements).catch(fail),
    commitOne: (statement) => statement(orm as Statements).catch(fail),
    transact: (work) => orm.transaction((statements) => work(statements as Statements)).catch(fail),
    release: () => connection.release(),
  };
}

/** Thrown if a connection was lost before it did anything. */
class Lost extends Error {
  constructor(cause: unknown) {
    super("the connection was lost", { cause });
  }
}

/** The most attempts. After a restart of the server, several connections may be dead. */
const attemptsMax = 4;

async function repeat<Result>(
  attempt: () => Promise<Result>,
  { place, renew }: { readonly place: string; readonly renew: () => void },
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      // A retry is safe, because a refused user has sent no statement.
      if (isRefusedUser(error) && attempts === 1 && canRenew(renew)) continue;
      const isRepeatable = error instanceof Lost || classifyFailure(error) === "repeatable";
      if (!isRepeatable) throw error;
      if (attempts === attemptsMax) throw createAwayFault(error, place);
    }
  }
}

/** Awaits the work. If there is no answer in time, calls `leave`. @throws SilentServer */
async function waitFor<Result>(
  work: Promise<Result>,
  msMax: number,
  leave: () => void,
): Promise<Result> {
  let timer: Timer | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      leave();
      reject(new SilentServer());
    }, msMax);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tries to read the address file again. @returns whether that worked. */
function canRenew(renew: () => void): boolean {
  try {
    renew();
    return true;
  } catch {
    return false;
  }
}

/** Creates a client whose connections can be replaced if the address changes or the server does not answer. */
function createClient(
  connect: () => SQL,
  address: Address,
): { readonly sql: SQL; replace(): void; renew(): void } {
  let current = connect();
  let used = address.current.href;
  const call = (...args: Parameters<SQL>) => current(...args);
  const sql = new Proxy(call as unknown as SQL, {
    get: (_, name) => {
      const value = Reflect.get(current, name) as unknown;
      return typeof value === "function" ? value.bind(current) : value;
    },
  });
  const replace = (timeout = 0) => {
    const before = current;
    current = connect();
    used = address.current.href;
    before.close({ timeout }).catch(() => {});
  };
  const renew = () => {
    if (address.read().href !== used) replace(renewSeconds);
  };
  return { sql, replace: () => replace(), renew };
}

/** The time in which running statements on the old connections may still end. */
const renewSeconds = 60;

function readSettings(settings: PostgresSettings) {
  const { urlFile, connectionsMax } = settings;
  const address = createAddress(settings);
  // Reads the file again, because the given address may have an old password.
  canRenew(address.read);
  const { hostname, port, pathname } = address.current;
  const database = decodeURIComponent(pathname.slice(1));
  const place = `the database ${database} at ${hostname || "localhost"}:${port || 5432}`;
  // The database is named here, because PostgreSQL's environment variables would otherwise choose it.
  const given = { database, adapter: "postgres", max: connectionsMax } as const;
  // No statement_timeout, because a canceled commit can look like a finished commit.
  const limits = { statement_timeout: 0, lock_timeout: 10_000, jit: "off" };
  const idle = { idle_in_transaction_session_timeout: 60_000 };
  const connection = { application_name: "roster", ...limits, ...idle };
  const connect = () => {
    const url = address.current.href;
    const secret = urlFile === undefined ? {} : { password: () => readPassword(address) };
    try {
      return new SQL({ url, ...given, ...secret, connectionTimeout: 5, connection });
    } catch (error) {
      const reason = (error as Error).message;
      throw new Fault("configuration", `database.url cannot be used: ${reason}`, { cause: error });
    }
  };
  return { place, connect, address };
}

/** Called for each connection. If the file cannot be read now, returns the previous password. */
function readPassword(address: Address): string {
  canRenew(address.read);
  return decodeURIComponent(address.current.password);
}

const oldest = 150_000;

async function requireUsable(sql: SQL, place: string): Promise<void> {
  const [row] = await sql`SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::int AS number,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby`;
  const refuse = (text: string) => new Fault("database", `${place} ${text}`);
  if (row.number < oldest) throw refuse(`is PostgreSQL ${row.version}; 15 or newer is needed.`);
  if (row.encoding !== "UTF8") throw refuse(`is encoded as ${row.encoding}; UTF8 is needed.`);
  if (row.standby) {
    throw new Fault("database_away", `${place} is a standby, which cannot be written.`);
  }
}

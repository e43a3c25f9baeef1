/** Which databases can be used, by whom, and what it says of the others. */
import { afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../src/contract/fault.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { openPostgres } from "../../src/postgres/database.ts";
import { migrateSchema } from "../../src/postgres/migrate.ts";
import { newSigningKey } from "../accounts/library/self-signed.ts";
import { by, callOfOperator, newOperator } from "../control/account-rows.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "./database.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

const newFolder = temporaryFolders();
const started: PostgresServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

const open = (url: string) => openPostgresControlStore({ url, connectionsMax: 2 });
/** The message of the Fault, with its code before it. */
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "taken",
    (thrown) => (isFault(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown.stack)),
  );

describe("an address", () => {
  test.each(["postgres://u:secret-word@host", "mysql://u:secret-word@host/d", "secret-word", ""])(
    "%s is refused, and not shown",
    async (url) => {
      const refusal = await refusalOf(open(url));
      expect(refusal).toStartWith("configuration: database.url must be an address of the form");
      expect(refusal).not.toContain("secret-word");
    },
  );

  test("where nothing listens is away, and its password is not shown", async () => {
    const refusal = await refusalOf(open("postgres://u:secret-word@127.0.0.1:1/roster"));
    expect(refusal).toStartWith(
      "database_away: the database roster at 127.0.0.1:1 cannot do this now",
    );
    expect(refusal).not.toContain("secret-word");
  });
});

describe.skipIf(!hasPostgres)("a database", () => {
  test("of a newer Roster is refused, and left as it is", async () => {
    const url = await newDatabase();
    await (await open(url)).close();
    await runAsSuperuser(url, "UPDATE control.form SET number = 99");
    expect(await refusalOf(open(url))).toContain("was written by a newer Roster (control: form 99");
  });

  test("that is not encoded as UTF8 is refused", async () => {
    const url = new URL(await newDatabase());
    const name = `${url.pathname.slice(1)}_latin`;
    await runAsSuperuser(
      url.href,
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`,
    );
    url.pathname = `/${name}`;
    expect(await refusalOf(open(url.href))).toContain("is encoded as LATIN1; UTF8 is needed");
  });

  test("that is missing, or whose password is wrong, is away", async () => {
    const url = await newDatabase();
    expect(await refusalOf(open(`${url}_none`))).toMatch(/^database_away: .*SQLSTATE 3D000/);
    const wrong = url.replace(/:[^:@]+@/, ":wrong@");
    expect(await refusalOf(open(wrong))).toMatch(/^database_away: .*SQLSTATE 28P01/);
  });

  test("keeps the tables it has when a migration fails halfway", async () => {
    const url = await newDatabase();
    const database = await openPostgres({ url, connectionsMax: 2 });
    const first = "CREATE TABLE control.one (id int)";
    await migrateSchema(database, { name: "control", migrations: [first] });
    const broken = "CREATE TABLE control.two (id int); SELECT 1/0";
    const failing = migrateSchema(database, { name: "control", migrations: [first, broken] });
    await expect(failing).rejects.toThrow("division by zero");
    const second = "CREATE TABLE control.two (id int)";
    await migrateSchema(database, { name: "control", migrations: [first, second] });
    const [row] = await database.sql`SELECT number FROM control.form`;
    expect(row.number).toBe(2);
    await database.close();
  });
});

describe.skipIf(!hasPostgres)("the least rights that docs/growth.md names", () => {
  const password = "only-for-this-test";
  async function newRole(name: string): Promise<{ readonly url: string; readonly admin: string }> {
    const admin = await newDatabase();
    await runAsSuperuser(admin, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
    const url = new URL(admin);
    url.username = name;
    url.password = password;
    return { url: url.href, admin };
  }
  const databaseOf = (url: string) => new URL(url).pathname.slice(1);
  const spend = async (url: string) => {
    const control = await open(url);
    await control.addAccount(newOperator("ada"), undefined, by);
    const plans = { operator: { callsPerMonth: undefined, callsPerDay: undefined } };
    const [outcome] = await control.charge([callOfOperator("ada")], new Date(), {
      plans,
      trial: undefined,
    });
    await control.close();
    return outcome?.result;
  };

  test("are enough for the owner of the database", async () => {
    const { url, admin } = await newRole("roster_owner");
    await runAsSuperuser(admin, `ALTER DATABASE ${databaseOf(url)} OWNER TO roster_owner`);
    await runAsSuperuser(admin, `REVOKE ALL ON DATABASE ${databaseOf(url)} FROM PUBLIC`);
    expect(await spend(url)).toBe("counted");
  });

  test("are enough for whom a schema was made", async () => {
    const { url, admin } = await newRole("roster_guest");
    await runAsSuperuser(
      admin,
      `REVOKE ALL ON DATABASE ${databaseOf(url)} FROM PUBLIC`,
      `GRANT CONNECT ON DATABASE ${databaseOf(url)} TO roster_guest`,
    );
    expect(await refusalOf(open(url))).toContain("may not make the schema control or its tables");
    await runAsSuperuser(admin, "CREATE SCHEMA control AUTHORIZATION roster_guest");
    expect(await spend(url)).toBe("counted");
  });
});

test.skipIf(!hasPostgres)(
  "TLS: a server that its certificate speaks for is taken, another is not",
  async () => {
    const certificate = newSigningKey();
    const server = await startPostgres({ certificate });
    started.push(server);
    const folder = newFolder();
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const own = file("own.pem", certificate.certificate);
    const other = file("other.pem", newSigningKey().certificate);
    const connect = async (query: string) => {
      const database = await openPostgres({ url: `${server.url}?${query}`, connectionsMax: 1 });
      const [row] = await database.sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      await database.close();
      return row.ssl;
    };
    expect(await connect(`sslmode=verify-ca&sslrootcert=${own}`)).toBe(true);
    expect(await refusalOf(connect(`sslmode=verify-ca&sslrootcert=${other}`))).not.toBe("taken");
    // The certificate is not made out to this address.
    expect(await refusalOf(connect(`sslmode=verify-full&sslrootcert=${own}`))).not.toBe("taken");
    expect(await refusalOf(connect("sslmode=disable"))).toMatch(/^database_away: .*SQLSTATE 28000/);
  },
);

/** A new database for each test. All are on one server: that of `scripts/test`, or one of this process. */
import { join } from "node:path";
import { SQL } from "bun";
import { findPostgres } from "./programs.ts";

const found = findPostgres();
const given = process.env["TEST_POSTGRES_URL"];
/** Whether tests can have one. */
export const hasPostgres = given !== undefined || typeof found !== "string";
if (!hasPostgres) process.stderr.write(`Skips what needs PostgreSQL: ${found}\n`);

let shared: Promise<string> | undefined;
let made = 0;

/** @returns the address of a new database. It ends with the server. */
export async function newDatabase(): Promise<string> {
  shared ??= given === undefined ? startShared() : Promise.resolve(given);
  const url = new URL(await shared);
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await runAsSuperuser(url.href, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a connection of their own. */
export async function runAsSuperuser(url: string, ...statements: readonly string[]): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
}

async function startShared(): Promise<string> {
  const script = join(import.meta.dir, "serve.ts");
  const child = Bun.spawn([process.execPath, script], { stdin: "pipe", stdout: "pipe" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  if (!value) throw new Error("PostgreSQL did not start");
  return new TextDecoder().decode(value).trim();
}

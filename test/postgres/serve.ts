/**
 * `bun serve.ts`: runs a PostgreSQL server until standard input ends, and prints its address as the first line. Whoever
 * starts it holds the other end of that input, so the server never outlives its user, however that one ends.
 * `--check` only says which server it would be; exit 1 where there is none.
 */
import { findPostgres } from "./programs.ts";
import { startPostgres } from "./server.ts";

const found = findPostgres();
if (typeof found === "string" || process.argv.includes("--check")) {
  process.stderr.write(
    `PostgreSQL to test against: ${typeof found === "string" ? found : found.from}\n`,
  );
  process.exit(typeof found === "string" ? 1 : 0);
}
// Tests of crashes start servers of their own.
const server = await startPostgres({ settings: { fsync: "off" } });
process.stdout.write(`${server.url}\n`);
for await (const _ of Bun.stdin.stream()) {
}
await server.stop();

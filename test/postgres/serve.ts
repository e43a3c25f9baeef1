/**
 * `bun serve.ts` runs a PostgreSQL server until standard input ends. The first line that it prints is the address. The process
 * that starts it holds the other end of that input, so the server ends with it, even when it is killed.
 * `--check` only says which server it would be; exit 1 when there is none.
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
const server = await startPostgres();
process.stdout.write(`${server.url}\n`);
for await (const _ of Bun.stdin.stream()) {
}
await server.stop();

import { expect } from "bun:test";
import { hasPostgres } from "../../../postgres/database.ts";
import { expectDone } from "../../desk.ts";
import { listBlocks, readDocument } from "../blocks.ts";
import { inventMirrors, makeKey, startPostgres } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const document = "docs/growth.md";
const findSql = (begins: string) =>
  listBlocks(readDocument(document)).find(
    ({ language, text }) => language === "sql" && text.startsWith(begins),
  )?.text ?? "";

export const growth: Reading = {
  document,
  lacks: hasPostgres ? undefined : "PostgreSQL",
  async prepare(machine) {
    inventMirrors(machine);
    expectDone(await machine.paste("export ROSTER_DATA=/var/lib/roster"));
    expectDone(await machine.paste("roster ingest git ~/mirrors"));
    await makeKey(machine);
    expectDone(await machine.paste("unset ROSTER_DATA; mkdir -p /etc/roster"));
    await startPostgres(machine);
    machine.write("make.sql", findSql("CREATE ROLE roster"));
    expectDone(await machine.paste("psql --set ON_ERROR_STOP=1 --quiet --file=make.sql postgres"));
    const url = '"postgres://roster:...@$PGHOST:$PGPORT/roster"';
    expectDone(await machine.paste(`(umask 077; echo ${url} >/etc/roster/database.url)`));
  },
  sayings: [
    {
      words: "Both sides are compared row by row.",
      after: "roster move",
      see(_, { stdout, stderr }) {
        expect(stdout + stderr).toMatch(/people +5|5 people|developers +5/);
      },
    },
    {
      words: "The target must be empty",
      after: "roster move",
      async see(machine, _, command) {
        expect((await machine.paste(command)).exitCode).not.toBe(0);
      },
    },
    {
      words: "Keys go on working",
      after: "ROSTER_DATABASE_URL_FILE=/etc/roster/database.url roster serve",
      async see(machine) {
        expectDone(await machine.paste("curl -sf http://127.0.0.1:7171/readyz"));
        const ask = `curl -sf http://127.0.0.1:7171/v1/users/some-login -H "X-Api-Key: $ROSTER_API_KEY"`;
        expect(JSON.parse(expectDone(await machine.paste(ask))).data.username).toBe("some-login");
      },
    },
    {
      words: "To see how much space the schemas take:",
      after: "ROSTER_DATABASE_URL_FILE=/etc/roster/database.url roster serve",
      async see(machine) {
        machine.write("sizes.sql", findSql("SELECT relnamespace"));
        const sizes = expectDone(await machine.paste("psql --file=sizes.sql roster"));
        for (const schema of ["control", "pool"]) expect(sizes).toContain(schema);
      },
    },
    {
      words:
        "it compares every developer with their hashes, walks the audit log, and counts accounts, keys and people",
      after: "roster doctor",
      see(_, { stdout }) {
        expect(stdout).not.toMatch(/^fault/m);
        expect(stdout).toContain("5 people");
      },
    },
  ],
};

import { expect } from "bun:test";
import { expectDone } from "../../desk.ts";
import { beginChange, inventMirrors } from "../possessions.ts";
import type { Reading } from "../reading.ts";

export const who: Reading = {
  document: "docs/who.md",
  async prepare(machine) {
    inventMirrors(machine);
    expectDone(await machine.paste("export ROSTER_DATA=~/roster-data"));
    expectDone(await machine.paste("roster ingest git ~/mirrors"));
    await beginChange(machine);
  },
  sayings: [
    {
      words: "name people for a repository, a folder or file in it, a package, or a change",
      after: "roster who --repository payments --path ledger",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^some-login +Sam Example +100\.0/m);
      },
    },
    {
      words: "So no question reads git again.",
      after: "roster who --package npm:react",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^olga-alt /m);
        expectDone(await machine.paste("mv ~/mirrors ~/elsewhere"));
      },
    },
    {
      words: "Reviewers named by `Reviewed-by` and co-authors get a part of the credit.",
      after: "git diff main",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^some-login /m);
        expect(stdout).not.toContain("ben-dev");
      },
    },
    {
      words: "nor for a day before the newest commit",
      after: "roster who --repository payments --as-of",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^olga-alt /m);
        expect(stdout).not.toContain("ownership files");
      },
    },
  ],
};

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
      words: "like everybody who never touched the files",
      after: "git diff main",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^some-login .*1 commit to 1 file/m);
        expect(stdout).toMatch(
          /^ben-dev .*(Reviewed|Wrote) .*in the repository\.$|^ben-dev .*same folders/m,
        );
      },
    },
    {
      words: "are left out without being told",
      after: "git format-patch -1 --stdout",
      async see(machine, { stdout }) {
        const author = expectDone(await machine.paste("git log -1 --format=%an"));
        expect(author.trim()).not.toBe("");
        expect(stdout).not.toContain(author.trim());
        expect(stdout.trim().split("\n").length).toBeGreaterThan(1);
      },
    },
    {
      words: "There is no score in it, and no judgement.",
      after: "git log -p -1",
      see(_, { stderr }) {
        expect(stderr).toMatch(/^Author \S+ ".+": \d+ commits? .*here(?:, on| since) \d{4}-/m);
      },
    },
    {
      words: "Nobody is assigned, mentioned or notified.",
      after: "git format-patch --stdout -1",
      see(_, { stdout }) {
        expect(stdout).toStartWith("### Who may review this change\n\n<p>2 of ");
        expect(stdout).not.toContain("@");
      },
    },
    {
      words: "Folders with most files that nobody else knows come first.",
      after: "roster who --repository payments --without some-login",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^ledger +4 +4 +4 +100 % +nobody$/m);
        expect(stdout).not.toMatch(/^some-login/m);
      },
    },
    {
      words: "compares it with",
      after: "roster who --repository payments --path /src/pay",
      async see(machine) {
        expectDone(await machine.paste("mv ~/elsewhere ~/mirrors"));
      },
    },
    {
      words: "as a diff for `git apply`",
      after: "roster owners propose --repository payments | git apply",
      async see(machine) {
        const file = expectDone(await machine.paste("git diff HEAD -- CODEOWNERS"));
        expect(file).toContain("+/ledger/ @some-login");
        expect(file).toContain("+/src/pay/ @ben-dev");
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

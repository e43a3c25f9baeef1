import { expect } from "bun:test";
import { expectDone } from "../../desk.ts";
import { authors, inventMirrors, searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

export const erasure: Reading = {
  document: "docs/erasure.md",
  async prepare(machine) {
    inventMirrors(machine);
    expectDone(await machine.paste("roster ingest git ~/mirrors"));
  },
  sayings: [
    {
      words: "the subject's copy, every score explained",
      async see(machine) {
        const copy = JSON.parse(expectDone(await machine.paste("cat copy.json")));
        expect(copy.facts.login).toBe("some-login");
        expect(copy.analysis.explanation).toBeDefined();
      },
    },
    {
      words: "Only its owner can read the file.",
      after: "roster person export",
      async see(machine) {
        expect(expectDone(await machine.paste("stat -c %a copy.json"))).toBe("600\n");
      },
    },
    {
      words: "It prints a receipt: a random name, the time, counts, and the reason given",
      after: "roster forget some-login",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^receipt +ers_/m);
        expect(stdout).toMatch(/^reason +request 17$/m);
        expect(stdout).toMatch(/^state +complete$/m);
      },
    },
    {
      words: "So no old bytes remain in the data folder's files",
      after: "roster forget some-login",
      async see(machine) {
        const { exitCode } = await machine.paste("grep -rl some-login roster-data");
        expect(exitCode).toBe(1);
      },
    },
    {
      words: "An unknown login or address is exit code 4.",
      after: "roster forget some-login",
      async see(machine) {
        expect((await machine.paste("roster forget some-login")).exitCode).toBe(4);
        expect((await machine.paste("roster get some-login")).exitCode).toBe(4);
      },
    },
    {
      words: "by address: every login that has it",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^developers +1$/m);
        const left = authors.filter((login) => !["some-login", "ben-f871a7"].includes(login));
        expect(await searchPeople(machine, "Worldwide")).toEqual(left);
      },
    },
    {
      words: "the receipts",
      see(_, { stdout }) {
        expect(stdout.match(/^ers_/gm)).toHaveLength(2);
      },
    },
    {
      words: "those that a full disk or a crash has interrupted",
      see(_, { stdout, stderr }) {
        expect(stdout + stderr).toContain("No erasure is unfinished.");
      },
    },
    {
      words: "Suppressed people are left out, as authors, as co-authors and in trailers",
      after: "roster forget --list",
      async see(machine) {
        const again = await machine.paste(
          "rm roster-data/ingest.db && roster ingest git ~/mirrors",
        );
        expectDone(again);
        expect(again.stdout + again.stderr).toContain("suppressed");
        expect((await machine.paste("roster get some-login")).exitCode).toBe(4);
      },
    },
  ],
};

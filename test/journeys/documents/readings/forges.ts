import { expect } from "bun:test";
import { expectDone } from "../../desk.ts";
import { authors, inventMirrors, reachForges, searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const gitea = "roster ingest gitea --url https://git.corp.example --token-file git.token --all";

export const forges: Reading = {
  document: "docs/forges.md",
  async prepare(machine) {
    inventMirrors(machine);
    await reachForges(machine);
  },
  sayings: [
    {
      words: "commits, from clones",
      async see(machine) {
        expect(await searchPeople(machine, "Worldwide")).toHaveLength(authors.length + 3);
      },
    },
    {
      words: "Git has no places, but forges do.",
      after: "roster search Berlin",
      see(_, { stdout }) {
        for (const login of ["ada", "ben", "cleo"])
          expect(stdout).toMatch(new RegExp(`^${login} `, "m"));
      },
    },
    {
      words: "the same data gives the same bytes",
      after: "roster search Berlin",
      async see(machine) {
        const facts = async (data: string) =>
          expectDone(await machine.paste(`roster export - --data ${data}`));
        const git = "roster ingest git ~/mirrors";
        for (const command of [gitea, git, gitea, git]) {
          expectDone(await machine.paste(`${command} --data other`));
        }
        expect(await facts("other")).toBe(await facts("roster-data"));
      },
    },
    {
      words: "reads the first N people of each search",
      after: "roster ingest github",
      async see(machine) {
        expect(await searchPeople(machine, "Berlin")).toHaveLength(11);
        expect(expectDone(await machine.paste("roster sources list"))).toContain("github.com");
      },
    },
    {
      words: "The token stays in its file (mode 0600); Roster puts it into no other file",
      after: "roster ingest github",
      async see(machine) {
        expect((await machine.paste("grep -r invented-token roster-data")).exitCode).toBe(1);
        expectDone(await machine.paste("chmod 644 git.token"));
        const refused = await machine.paste(gitea);
        expect(refused.exitCode).not.toBe(0);
      },
    },
  ],
};

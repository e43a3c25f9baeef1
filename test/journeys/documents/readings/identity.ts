import { expect } from "bun:test";
import { join } from "node:path";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { expectDone } from "../../desk.ts";
import { searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const spellings = [
  "Ada Example <10+ada-example@users.noreply.github.com>",
  "Ada Example <ada@example.com>",
  "Team <ada@example.com>",
  "A. Example <ada@old.example.com>",
];

export const identity: Reading = {
  document: "docs/identity.md",
  async prepare(machine) {
    const commits = spellings.map((author, at) => {
      return { author, files: { [`part${at}.go`]: `package part${at}\n` } };
    });
    inventRepository(join(machine.home, "parts.git"), commits);
    expectDone(await machine.paste("roster ingest git parts.git"));
  },
  sayings: [
    {
      words: "which identities would be joined or split, and why; writes nothing",
      async see(machine, { stderr, stdout }) {
        expect(stdout + stderr).toContain("Nothing was written");
        expectDone(await machine.paste("rm -r parts.git"));
      },
    },
    {
      words:
        "recounts everyone from the stored histories, and says how many identities were merged",
      see(_, { stderr, stdout }) {
        expect(stdout + stderr).toMatch(/2 people.* 2 aliases merged/);
      },
    },
    {
      words: "people with several spellings or addresses, and all authors who are not human",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^ada-example +human +3/m);
      },
    },
    {
      words: "one person's spellings, and what joined them",
      see(_, { stdout }) {
        expect(stdout).toContain("same name");
        expect(stdout).toContain("same e-mail");
      },
    },
    {
      words: "pairs that may be one person; suggestions change nothing",
      async see(machine) {
        expect(await searchPeople(machine, "Worldwide")).toHaveLength(2);
      },
    },
    {
      words: "Each decision takes effect at once: Roster identifies those whom it concerns again",
      after: "roster identity merge",
      async see(machine) {
        expect(await searchPeople(machine, "Worldwide")).toEqual(["ada-example"]);
      },
    },
    {
      words: "**split** undoes a merge. If other evidence had joined the two, it keeps them apart",
      after: "roster identity split",
      async see(machine) {
        expect(await searchPeople(machine, "Worldwide")).toHaveLength(2);
      },
    },
    {
      words: "your decisions: who made them, when and why",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^dec_.* operator +one person .* her own word /m);
        const split = /^(dec_\w+).* two people /m.exec(stdout)?.[1];
        expectDone(await machine.paste(`decision=${split}`));
      },
    },
    {
      words: "by its id in that list: dec_...",
      async see(machine) {
        expect(await searchPeople(machine, "Worldwide")).toEqual(["ada-example"]);
      },
    },
    {
      words: "`roster mailmap` proposes rows for it",
      before: "cd ~/src/tool",
      async see(machine) {
        const commits = spellings.map((author, at) => ({ author, message: `Tool ${at}` }));
        inventRepository(join(machine.home, "tool.git"), commits);
        const origin = "https://git.example.com/acme/tool.git";
        expectDone(await machine.paste("git clone --quiet ~/tool.git ~/src/tool"));
        expectDone(await machine.paste(`git -C ~/src/tool remote set-url origin ${origin}`));
        expectDone(await machine.paste("roster ingest git ~/src/tool --data ~/roster-data"));
      },
    },
    {
      words: "then look at `git diff`, and commit it",
      async see(machine) {
        const rows = expectDone(await machine.paste("cat .mailmap"));
        expect(rows).toMatch(/^Ada Example <ada@example.com> <10\+ada-example@users/m);
      },
    },
    {
      words: "Standard output is only the diff.",
      after: "roster mailmap --data",
      async see(machine) {
        expectDone(await machine.paste("rm .mailmap && git apply mailmap.diff"));
      },
    },
  ],
};

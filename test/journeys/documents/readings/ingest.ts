import { expect } from "bun:test";
import { expectDone } from "../../desk.ts";
import { listBlocks, readDocument } from "../blocks.ts";
import { inventMirrors, searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const document = "docs/ingest.md";

export const ingest: Reading = {
  document,
  async prepare(machine) {
    inventMirrors(machine);
    expectDone(await machine.paste("roster ingest git ~/mirrors"));
    const people = listBlocks(readDocument(document)).find(({ language }) => language === "csv");
    const own = "ben@example.com;;;Berlin;Invented Ltd;;\n";
    machine.write("hr.csv", `${people?.text}${own}`);
    machine.write("hr.json", '[{"email":"ben@example.com","location":"Lisbon, Portugal"}]');
  },
  sayings: [
    {
      words: "Then `roster search Berlin` finds people who are known from git alone.",
      after: "roster ingest people hr.csv",
      async see(machine) {
        expect(await searchPeople(machine, "Berlin")).toEqual(["ada-b5fc85", "ben-f871a7"]);
      },
    },
    {
      words: "A later file of the same name replaces what the earlier one said",
      after: "jq -c",
      async see(machine) {
        expect(await searchPeople(machine, "Berlin")).toEqual([]);
        expect(await searchPeople(machine, "Lisbon")).toEqual(["ben-f871a7"]);
      },
    },
    {
      words: "takes away everything that the list hr said",
      async see(machine) {
        expect(await searchPeople(machine, "Lisbon")).toEqual([]);
        expect(expectDone(await machine.paste("roster export -"))).not.toContain("Lisbon");
      },
    },
  ],
};

import { expect } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { executable, expectDone, seeSoon } from "../../desk.ts";
import { authors, inventMirrors, reachForges, searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const headers = '-H "X-Api-Key: $ROSTER_API_KEY" -H "Content-Type: application/json"';
const ask = (path: string, body: string) =>
  `curl -sf http://127.0.0.1:7171${path} ${headers} -d '${body}'`;

export const readme: Reading = {
  document: "README.md",
  async prepare(machine) {
    symlinkSync(executable, join(machine.home, "roster"));
    inventMirrors(machine);
    await reachForges(machine);
    machine.write("hr.csv", "email,location\nben@example.com,Berlin\n");
  },
  sayings: [
    {
      words: "http://127.0.0.1:7171, data in ./roster-data, about 5,000 fictitious people",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^address +http:\/\/127\.0\.0\.1:7171$/m);
        expect(stdout).toMatch(/^data +\.\/roster-data$/m);
        expect(stdout).toMatch(/5\d\d\d fictitious people/);
        expectDone(await machine.paste("test -f roster-data/pool.db"));
      },
    },
    {
      words:
        "The first start prints the administrator's API key, once, and a link for setting the administrator's password.",
      after: "./roster",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^sign in +http:\/\/127\.0\.0\.1:7171\/set-up\?token=/m);
        const key = /^key +(rst_\w+)/m.exec(stdout)?.[1];
        expectDone(await machine.paste(`export ROSTER_API_KEY=${key}`));
      },
    },
    {
      words: "costs no call",
      async see(machine, _, command) {
        const find = ask("/v1/people/find", '{"text":"ada"}');
        const read = async () =>
          JSON.parse(expectDone(await machine.paste(find))).meta.quota as {
            readonly used: number;
            readonly month: string;
          };
        const before = await read();
        expectDone(await machine.paste(command));
        const after = await read();
        expect(after.used).toBe(after.month === before.month ? before.used + 1 : 1);
      },
    },
    {
      words: "Neither needs a key or the internet.",
      after: "curl -s http://127.0.0.1:7171/v1/profile/analyze",
      async see(machine) {
        const described = await machine.paste("curl -sf http://127.0.0.1:7171/v1/openapi.json");
        expect(JSON.parse(expectDone(described)).openapi).toStartWith("3.1");
        const page = expectDone(await machine.paste("curl -sf http://127.0.0.1:7171/docs"));
        expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      },
    },
    {
      words: "clones, bare mirrors, bundles, or folders of them",
      async see(machine) {
        const known = expectDone(await machine.paste("roster ingest list"));
        for (const path of ["payments.git", "tools ", "tools.git", "site.bundle"]) {
          expect(known).toContain(`mirrors/${path}`);
        }
      },
    },
    {
      words: "Real data replaces the demo people. A running server on the same folder shows it",
      after: "roster ingest git",
      see: (machine) =>
        seeSoon(
          async () => {
            const said = await machine.paste(ask("/v1/search", '{"location":"Worldwide"}'));
            return JSON.parse(expectDone(said)).data.totalCount as number;
          },
          (total) => total === authors.length + 3,
        ).then(() => undefined),
    },
    {
      words: "git knows no locations; Worldwide includes people without one",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^ada /m);
      },
    },
    {
      words: "the people who worked in this repository",
      see(_, { stdout }) {
        for (const login of ["some-login", "ben-dev", "olga-alt"]) expect(stdout).toContain(login);
      },
    },
    {
      words: "locations, accounts, stars, authors of commits",
      async see(machine) {
        const facts = expectDone(await machine.paste("roster export -"));
        for (const line of facts
          .split("\n")
          .filter((line) => /^{"login":"(?:ada|cleo)",/.test(line))) {
          expect(line).toMatch(/"accounts":\[.*"stars":1\b/);
        }
        expect(await searchPeople(machine, "Berlin")).toEqual(["ada", "ben", "cleo"]);
      },
    },
    {
      words: "a list with email,location,... adds locations",
      after: "roster search Berlin",
      async see(machine) {
        expect(await searchPeople(machine, "Berlin")).toContain("ben-f871a7");
      },
    },
    {
      words: "every score, with the terms it is made of",
      see(_, { stdout }) {
        expect(stdout).toStartWith("some-login: ");
        for (const part of ["profile", "tech stack", "activity"]) expect(stdout).toContain(part);
      },
    },
    {
      words:
        "Exit codes: 0 ok, 2 usage, 3 data refused or left out, 4 not found, 5 fault, 130 interrupted.",
      after: "roster explain",
      async see(machine) {
        const codes = {
          "roster search Berlin": 0,
          "roster serch Berlin": 2,
          "roster import hr.csv": 3,
          "roster get nobody-here": 4,
          "roster doctor --data nowhere": 5,
        };
        for (const [command, code] of Object.entries(codes)) {
          const { exitCode } = await machine.paste(command);
          expect({ command, exitCode }).toEqual({ command, exitCode: code });
        }
      },
    },
  ],
};

import { expect } from "bun:test";
import { expectDone, seeSoon } from "../../desk.ts";
import { authors, cloneMirror, inventMirrors, reachForges, searchPeople } from "../possessions.ts";
import type { Reading } from "../reading.ts";

const headers = '-H "X-Api-Key: $ROSTER_API_KEY" -H "Content-Type: application/json"';
const ask = (path: string, body: string) =>
  `curl -sf http://127.0.0.1:7171${path} ${headers} -d '${body}'`;

const commitAs = (name: string, address: string, file: string) =>
  `echo '// fixed' >>${file} && git add . && git -c user.name='${name}' -c user.email=${address} commit -qm fix`;

export const readme: Reading = {
  document: "README.md",
  async prepare(machine) {
    inventMirrors(machine);
    cloneMirror(machine, "payments");
    // Its remote is a forge's, as that of most clones.
    const remote = "https://github.com/acme/payments.git";
    expectDone(await machine.paste(`git -C payments remote set-url origin ${remote}`));
    await reachForges(machine);
    expectDone(await machine.paste("mkdir roster && cp git.token roster"));
    machine.write("roster/hr.csv", "email,location\nben@example.com,Berlin\n");
  },
  sayings: [
    {
      words: "any git clone",
      async see(machine) {
        expect(expectDone(await machine.paste("git rev-parse --is-inside-work-tree"))).toBe(
          "true\n",
        );
      },
    },
    {
      words: "who knows it; roster who PATH for a folder or a file",
      async see(machine) {
        for (const path of ["ledger", "ledger/quarter0.ts"]) {
          const said = await machine.paste(`roster who ${path}`);
          expect(expectDone(said)).toMatch(/^some-login +Sam Example/m);
        }
      },
    },
    {
      words: "It needs no set-up and no server, and writes nothing into the clone.",
      after: "roster who",
      async see(machine) {
        expect(expectDone(await machine.paste("git status --porcelain --ignored"))).toBe("");
      },
    },
    {
      words: "reviewers for what your branch changes",
      before: "roster who --diff",
      async see(machine) {
        const change = commitAs("Ben", "8+ben-dev@users.noreply.github.com", "ledger/quarter0.ts");
        expectDone(await machine.paste(`git checkout -qb fix && ${change}`));
      },
    },
    {
      words: "reviewers for what your branch changes",
      see(_, { stdout }) {
        expect(stdout).not.toContain("ben-dev");
        expect(stdout).toMatch(/^some-login .*1 commit to 1 file/m);
      },
    },
    {
      words: "everybody who has shown a skill",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^ben-dev /m);
        expect(stdout).not.toContain("olga-alt");
      },
    },
    {
      words: "a diff of .mailmap that shows each person once",
      before: "roster mailmap",
      async see(machine) {
        expectDone(await machine.paste(commitAs("Sam Example", "sam@example.org", "README.md")));
      },
    },
    {
      words: "a diff of .mailmap that shows each person once",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^\+Sam Example <.*> <.*>$/m);
      },
    },
    {
      words: "a diff of CODEOWNERS: owners who left go, people who know the files come",
      see(_, { stdout }) {
        expect(stdout).toMatch(/^-\/src\/pay\/ @olga-alt$/m);
        expect(stdout).toMatch(/^\+\/src\/pay\/ @ben-dev$/m);
      },
    },
    {
      words: "every score, with the terms it is made of",
      see(_, { stdout }) {
        expect(stdout).toStartWith("ben-dev: ");
        for (const part of ["profile", "tech stack", "activity"]) expect(stdout).toContain(part);
      },
    },
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
        "The first start prints the administrator's API key, once, and a link to set a password",
      after: "roster serve",
      async see(machine, { stdout }) {
        expect(stdout).toMatch(/^sign in +http:\/\/127\.0\.0\.1:7171\/set-up\?token=/m);
        const key = /^key +(rst_\w+)/m.exec(stdout)?.[1];
        expectDone(await machine.paste(`export ROSTER_API_KEY=${key}`));
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
      words:
        "Your data replaces the fictitious people. A running server on the same folder shows it",
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
      words: "Neither needs a key or the internet.",
      after: "curl -s http://127.0.0.1:7171/v1/search",
      async see(machine) {
        const described = await machine.paste("curl -sf http://127.0.0.1:7171/v1/openapi.json");
        expect(JSON.parse(expectDone(described)).openapi).toStartWith("3.1");
        const page = expectDone(await machine.paste("curl -sf http://127.0.0.1:7171/docs"));
        expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      },
    },
  ],
};

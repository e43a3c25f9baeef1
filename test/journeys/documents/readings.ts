/** The documents whose commands are run: what their reader has, does between two commands, and sees of some. */
import { expect } from "bun:test";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hasStorage } from "../../backup/real-storage.ts";
import { inventRepository } from "../../ingest/git/invented-repository.ts";
import { hasPostgres } from "../../postgres/database.ts";
import { expectDone, type Said, seeSoon } from "../desk.ts";
import { listBlocks, readDocument } from "./blocks.ts";
import type { Machine, Running } from "./machine.ts";
import {
  authors,
  beginChange,
  cloneMirror,
  inventMirrors,
  makeKey,
  reachForges,
  searchPeople,
  startPostgres,
  startServer,
  startStorage,
} from "./possessions.ts";

type Step = (machine: Machine, said: Said, command: string) => void | Promise<void>;

export interface Reading {
  readonly document: string;
  /** What this computer lacks and the reader needs, if anything. */
  readonly lacks?: string | undefined;
  readonly prepare: (machine: Machine) => Promise<void>;
  /** Steps by the words with which a command begins. */
  readonly before?: Readonly<Record<string, Step>>;
  readonly after?: Readonly<Record<string, Step>>;
}

async function ingestMirrors(machine: Machine): Promise<void> {
  inventMirrors(machine);
  expectDone(await machine.paste("roster ingest git ~/mirrors"));
}

const commitAs = (name: string, address: string, file: string) =>
  `echo '// fixed' >>${file} && git add . && git -c user.name='${name}' -c user.email=${address} commit -qm fix`;

const readme: Reading = {
  document: "README.md",
  async prepare(machine) {
    inventMirrors(machine);
    cloneMirror(machine, "payments");
    // The remote is a forge's, as that of most clones.
    const remote = "https://github.com/acme/payments.git";
    expectDone(await machine.paste(`git -C payments remote set-url origin ${remote}`));
    await reachForges(machine);
    expectDone(await machine.paste("mkdir roster && cp git.token roster"));
    machine.write("roster/hr.csv", "email,location\nben@example.com,Berlin\n");
  },
  before: {
    "roster who --diff": async (machine) => {
      const change = commitAs("Ben", "8+ben-dev@users.noreply.github.com", "ledger/quarter0.ts");
      expectDone(await machine.paste(`git checkout -qb fix && ${change}`));
    },
    "roster mailmap": async (machine) => {
      expectDone(await machine.paste(commitAs("Sam Example", "sam@example.org", "README.md")));
    },
  },
  after: {
    "roster who": async (machine) => {
      expect(expectDone(await machine.paste("git status --porcelain --ignored"))).toBe("");
    },
    "roster mailmap": (_, { stdout }) => {
      expect(stdout).toMatch(/^\+Sam Example <.*> <.*>$/m);
    },
    "roster owners propose": (_, { stdout }) => {
      expect(stdout).toMatch(/^\+\/src\/pay\/ @ben-dev$/m);
    },
    "roster serve": async (machine, { stdout }) => {
      expect(stdout).toMatch(/^address +http:\/\/127\.0\.0\.1:7171$/m);
      expect(stdout).toMatch(/^data +\.\/roster-data$/m);
      const key = /^key +(rst_\w+)/m.exec(stdout)?.[1];
      expectDone(await machine.paste(`export ROSTER_API_KEY=${key}`));
    },
    "roster ingest git": async (machine) => {
      const search = `curl -sf http://127.0.0.1:7171/v1/search -H "X-Api-Key: $ROSTER_API_KEY" -H "Content-Type: application/json" -d '{"location":"Worldwide"}'`;
      await seeSoon(
        async () => JSON.parse(expectDone(await machine.paste(search))).data.totalCount,
        (total) => total === authors.length + 3,
      );
    },
    "roster search Berlin": async (machine) => {
      const found = await searchPeople(machine, "Berlin");
      expect(found).toEqual(["ada", "ben", "ben-f871a7", "cleo"]);
    },
  },
};

const ingest: Reading = {
  document: "docs/ingest.md",
  async prepare(machine) {
    await reachForges(machine);
    await ingestMirrors(machine);
    const people = listBlocks(readDocument("docs/ingest.md")).find(
      ({ language }) => language === "csv",
    );
    machine.write("hr.csv", `${people?.text}ben@example.com;;;Berlin;Invented Ltd;;\n`);
    machine.write("hr.json", '[{"email":"ben@example.com","location":"Lisbon, Portugal"}]');
  },
  after: {
    "roster ingest people hr.csv": async (machine, { stdout }, command) => {
      if (command.includes("--dry-run")) {
        expect(stdout).toMatch(/^line 2 +added +ada-b5fc85 /m);
        expect(await searchPeople(machine, "Berlin")).toEqual([]);
        return;
      }
      expect(await searchPeople(machine, "Berlin")).toEqual(["ada-b5fc85", "ben-f871a7"]);
    },
    "jq -c": async (machine) => {
      expect(await searchPeople(machine, "Berlin")).toEqual([]);
      expect(await searchPeople(machine, "Lisbon")).toEqual(["ben-f871a7"]);
    },
    "roster ingest people --remove": async (machine) => {
      expect(await searchPeople(machine, "Lisbon")).toEqual([]);
    },
  },
};

const who: Reading = {
  document: "docs/who.md",
  async prepare(machine) {
    expectDone(await machine.paste("export ROSTER_DATA=~/roster-data"));
    await ingestMirrors(machine);
    await beginChange(machine);
  },
  after: {
    // No question reads git again.
    "roster who --package npm:react": async (machine) => {
      expectDone(await machine.paste("mv ~/mirrors ~/elsewhere"));
    },
    "roster who --repository payments --path /src/pay": async (machine) => {
      expectDone(await machine.paste("mv ~/elsewhere ~/mirrors"));
    },
    "roster owners propose --repository payments | git apply": async (machine) => {
      const file = expectDone(await machine.paste("git diff HEAD -- CODEOWNERS"));
      expect(file).toContain("+/ledger/ @some-login");
    },
  },
};

let server: Running;
const operation: Reading = {
  document: "docs/operation.md",
  lacks: !hasStorage ? "an S3 server" : Bun.which("age-keygen") ? undefined : "age",
  async prepare(machine) {
    const publish = [
      "echo a tarball >roster-0.1.0-linux-x64.tar.gz",
      "sha256sum roster-* >SHA256SUMS",
      "ssh-keygen -q -t ed25519 -N '' -C '' -f key",
      "ssh-keygen -q -Y sign -f key -n roster-release SHA256SUMS",
      'echo "roster $(cat key.pub)" >signers',
      "mkdir -p /mnt/backups",
      "export ROSTER_DATA=/var/lib/roster",
    ];
    for (const command of publish) expectDone(await machine.paste(command));
    await ingestMirrors(machine);
    server = await startServer(machine, "roster serve");
    await startStorage(machine);
    expectDone(await machine.paste('ssh() { mkdir -p ~/"$1" && (cd ~/"$1" && sh -c "$2"); }'));
  },
  before: {
    "roster restore /mnt/backups/roster.tar.zst": async (machine, _, command) => {
      const refused = await machine.paste(command);
      expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining("is served")]);
      await server.stop();
      expectDone(await machine.paste("roster forget ben@example.com"));
    },
    "roster status": async (machine) => {
      server = await startServer(machine, "roster serve");
      expectDone(await machine.paste("roster backup /mnt/backups/next.tar.zst"));
    },
  },
  after: {
    "roster restore /mnt/backups/roster.tar.zst.age": async (machine) => {
      const left = authors.filter((login) => login !== "ben-f871a7");
      expect(await searchPeople(machine, "Worldwide")).toEqual(left);
    },
    "roster status": async () => void (await server.stop()),
  },
};

const erasure: Reading = {
  document: "docs/erasure.md",
  prepare: ingestMirrors,
  after: {
    "roster person export": async (machine) => {
      expect(expectDone(await machine.paste("stat -c %a copy.json"))).toBe("600\n");
    },
    "roster forget some-login": async (machine) => {
      // For 30 days, the list of changes tells copies elsewhere whom to delete.
      const left = await machine.paste("grep -rlE 'some-login' roster-data --exclude=pool.db");
      expect(left).toMatchObject({ exitCode: 1, stdout: "" });
      expect((await machine.paste("roster get some-login")).exitCode).toBe(4);
    },
    "roster forget --list": async (machine, { stdout }) => {
      expect(stdout.match(/^ers_/gm)).toHaveLength(2);
      const again = "rm roster-data/ingest.db && roster ingest git ~/mirrors";
      expectDone(await machine.paste(again));
      expect((await machine.paste("roster get some-login")).exitCode).toBe(4);
    },
  },
};

const inspector = join(import.meta.dir, "../../interfaces/mcp/checks/node_modules");
const mcp: Reading = {
  document: "docs/mcp.md",
  lacks: existsSync(inspector) ? undefined : "the Inspector, which scripts/test installs",
  async prepare(machine) {
    await startServer(machine, "roster serve");
    await makeKey(machine);
    mkdirSync(join(machine.home, "node_modules"));
    for (const name of ["@modelcontextprotocol", ".bin"]) {
      symlinkSync(join(inspector, name), join(machine.home, "node_modules", name));
    }
  },
  after: {
    // The first block of JSON is the settings of an assistant that starts local servers.
    "npx @modelcontextprotocol/inspector@2": async (machine) => {
      const shown = listBlocks(readDocument("docs/mcp.md")).find(
        ({ language }) => language === "json",
      );
      const key = expectDone(await machine.paste("echo $ROSTER_API_KEY")).trim();
      const path = expectDone(await machine.paste("command -v roster")).trim();
      const text = shown?.text.replace("rst_...", key).replace("/path/to/roster", path) ?? "";
      machine.write("settings.json", text);
      const list =
        "npx @modelcontextprotocol/inspector@2 --cli --config settings.json --server roster --method tools/list";
      expect(expectDone(await machine.paste(list))).toContain('"who_knows"');
    },
  },
};

const forges: Reading = {
  document: "docs/forges.md",
  async prepare(machine) {
    inventMirrors(machine);
    await reachForges(machine);
  },
  after: {
    "roster search Berlin": (_, { stdout }) => {
      for (const login of ["ada", "ben", "cleo"])
        expect(stdout).toMatch(new RegExp(`^${login} `, "m"));
    },
    "roster ingest github": async (machine) => {
      expect(await searchPeople(machine, "Berlin")).toHaveLength(11);
      expect((await machine.paste("grep -r invented-token roster-data")).exitCode).toBe(1);
    },
  },
};

const growth: Reading = {
  document: "docs/growth.md",
  lacks: hasPostgres ? undefined : "PostgreSQL",
  async prepare(machine) {
    expectDone(await machine.paste("export ROSTER_DATA=/var/lib/roster"));
    await ingestMirrors(machine);
    await makeKey(machine);
    expectDone(await machine.paste("unset ROSTER_DATA; mkdir -p /etc/roster"));
    await startPostgres(machine);
    const make = listBlocks(readDocument("docs/growth.md")).find(
      ({ language, text }) => language === "sql" && text.startsWith("CREATE ROLE roster"),
    );
    machine.write("make.sql", make?.text ?? "");
    expectDone(await machine.paste("psql --set ON_ERROR_STOP=1 --quiet --file=make.sql postgres"));
    const url = '"postgres://roster:...@$PGHOST:$PGPORT/roster"';
    expectDone(await machine.paste(`(umask 077; echo ${url} >/etc/roster/database.url)`));
  },
  after: {
    "roster move": async (machine, _, command) => {
      // The target must be empty.
      expect((await machine.paste(command)).exitCode).not.toBe(0);
    },
    "ROSTER_DATABASE_URL_FILE=/etc/roster/database.url roster serve": async (machine) => {
      const ask = `curl -sf http://127.0.0.1:7171/v1/users/some-login -H "X-Api-Key: $ROSTER_API_KEY"`;
      expect(JSON.parse(expectDone(await machine.paste(ask))).data.username).toBe("some-login");
    },
    "roster doctor": (_, { stdout }) => expect(stdout).toContain("5 people"),
  },
};

const spellings = [
  "Ada Example <10+ada-example@users.noreply.github.com>",
  "Ada Example <ada@example.com>",
  "Team <ada@example.com>",
  "A. Example <ada@old.example.com>",
];

const identity: Reading = {
  document: "docs/identity.md",
  async prepare(machine) {
    const commits = spellings.map((author, at) => {
      return { author, files: { [`part${at}.go`]: `package part${at}\n` } };
    });
    inventRepository(join(machine.home, "parts.git"), commits);
    expectDone(await machine.paste("roster ingest git parts.git"));
  },
  before: {
    "cd ~/src/tool": async (machine) => {
      const commits = spellings.map((author, at) => ({ author, message: `Tool ${at}` }));
      inventRepository(join(machine.home, "tool.git"), commits);
      const origin = "https://git.example.com/acme/tool.git";
      expectDone(await machine.paste("git clone --quiet ~/tool.git ~/src/tool"));
      expectDone(await machine.paste(`git -C ~/src/tool remote set-url origin ${origin}`));
      expectDone(await machine.paste("roster ingest git ~/src/tool --data ~/roster-data"));
    },
  },
  after: {
    "roster identity merge": async (machine) => {
      expect(await searchPeople(machine, "Worldwide")).toEqual(["ada-example"]);
    },
    "roster identity split": async (machine) => {
      expect(await searchPeople(machine, "Worldwide")).toHaveLength(2);
    },
    "roster identity list --decisions": async (machine, { stdout }) => {
      const split = /^(dec_\w+).* two people /m.exec(stdout)?.[1];
      expectDone(await machine.paste(`decision=${split}`));
    },
    "roster identity undo": async (machine) => {
      expect(await searchPeople(machine, "Worldwide")).toEqual(["ada-example"]);
    },
    "roster mailmap | git apply": async (machine) => {
      const rows = expectDone(await machine.paste("cat .mailmap"));
      expect(rows).toMatch(/^Ada Example <ada@example.com> <10\+ada-example@users/m);
    },
    "roster mailmap --data": async (machine) => {
      expectDone(await machine.paste("rm .mailmap && git apply mailmap.diff"));
    },
  },
};

export const readings: readonly Reading[] = [
  ...[readme, ingest, who, operation, erasure, mcp, forges, growth, identity],
];

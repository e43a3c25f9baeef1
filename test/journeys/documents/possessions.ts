/** What readers of these documents already have: repositories, people, forges, a database. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inventQueue } from "../../../scripts/forges/gitea-people.ts";
import {
  type InventedCommit,
  inventRepository,
  run,
} from "../../ingest/git/invented-repository.ts";
import { expectDone } from "../desk.ts";
import type { Machine, Running } from "./machine.ts";

const noreply = "users.noreply.github.com";
const olga = `Olga Example <7+olga-alt@${noreply}>`;
const ben = `Ben Invented <8+ben-dev@${noreply}>`;
const someone = `Sam Example <9+some-login@${noreply}>`;

/** The logins of all authors in ~/mirrors. */
export const authors = ["ada-b5fc85", "ben-f871a7", "ben-dev", "olga-alt", "some-login"].sort();

const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;
const growing = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, at) => `export const ${name}${at} = ${at};\n`).join("");

/** Olga began it, in another folder, and is named as the owner of what Ben writes since; Sam has the ledger. */
const payments: readonly InventedCommit[] = [
  {
    author: olga,
    at: "2021-03-01",
    files: {
      CODEOWNERS: "/src/pay/ @olga-alt\n",
      "package.json": '{"name":"payments","dependencies":{"react":"18.0.0"}}\n',
      "view/app.tsx": 'import { useState } from "react";\nexport const app = () => useState(1);\n',
    },
  },
  ...[900, 500, 300, 200].map((days, at) => ({
    author: someone,
    at: daysAgo(days),
    message: `feat: the ledger closes quarter ${at}, since auditors ask for it`,
    files: { [`ledger/quarter${at}.ts`]: growing("entry", 20 + at) },
  })),
  ...[260, 180, 90, 30].map((days, at) => ({
    author: ben,
    at: daysAgo(days),
    message: `feat: pays by way ${at}, since customers ask for it`,
    files: { [`src/pay/way${at}.ts`]: growing("way", 25 + at) },
  })),
];

/** In ~/mirrors: a bare mirror, another one with a clone beside it, and a bundle. */
export function inventMirrors({ home }: Machine): void {
  const folder = join(home, "mirrors");
  const add = (name: string, commits: readonly InventedCommit[]) => {
    const path = inventRepository(join(folder, `${name}.git`), commits);
    run(path, ["remote", "add", "origin", `https://github.com/acme/${name}.git`]);
    return path;
  };
  add("payments", payments);
  const tools = add("tools", [
    { files: { "main.go": "package main\n\nfunc main() {}\n" } },
    { files: { "main_test.go": "package main\n\nfunc helper() {}\n" } },
  ]);
  run(folder, ["clone", "--quiet", tools, "tools"]);
  run(join(folder, "tools"), ["remote", "set-url", "origin", "https://github.com/acme/tools.git"]);
  const site = inventRepository(join(home, "site.git"), [
    { author: "Ben Sample <ben@example.com>", files: { "index.html": "<p>Hello\n" } },
  ]);
  run(site, ["bundle", "create", "--quiet", join(folder, "site.bundle"), "main"]);
  rmSync(site, { recursive: true });
}

/** A working clone of one of them, in ~. */
export function cloneMirror({ home }: Machine, name: string): void {
  run(home, ["clone", "--quiet", `mirrors/${name}.git`, name]);
}

/** Clones `payments`, changes a file in it, and takes the terminal there. */
export async function beginChange(machine: Machine): Promise<void> {
  cloneMirror(machine, "payments");
  machine.write("payments/ledger/quarter0.ts", growing("entry", 5));
  expectDone(await machine.paste("cd payments"));
}

/** `roster serve`, in a terminal of its own, until its log and what it prints are there. */
export const startServer = (machine: Machine, command: string): Promise<Running> =>
  machine.leave(command, /^assistants .*"msg":"started"/ms);

/** An account with a key, which the terminal has in ROSTER_API_KEY. */
export async function makeKey(machine: Machine): Promise<void> {
  const made = expectDone(await machine.paste("roster account create you@example.com --plan pro"));
  const key = /rst_\w+/.exec(made)?.[0];
  expectDone(await machine.paste(`export ROSTER_API_KEY=${key}`));
}

/** A terminal's `ssh` of a machine whose only server is itself. The command is the last argument. */
const ssh = `#!/bin/sh
for command; do :; done
cd ~/served && exec sh -c "$command"
`;

/** git.corp.example, with a mirror of what it has in ~/mirrors, api.github.com, and tokens for both. */
export async function reachForges(machine: Machine): Promise<void> {
  for (const name of ["tool", "other", "secret"]) {
    const commits = [
      { message: `feat: begin ${name}`, files: { [`${name}.ts`]: growing(name, 9) } },
    ];
    inventRepository(join(machine.home, `served/acme/${name}`), commits);
  }
  expectDone(await machine.paste("mkdir -p ~/bin && export PATH=~/bin:$PATH"));
  machine.write("bin/ssh", ssh, 0o755);
  const commits = inventQueue("Ada Forge <2+ada@noreply.forge.example>");
  const queue = inventRepository(join(machine.home, "mirrors/queue.git"), commits);
  run(queue, ["remote", "add", "origin", "https://git.corp.example/acme/queue.git"]);
  const hosts = "127.0.0.1 git.corp.example api.github.com";
  expectDone(await machine.paste(`echo ${hosts} >>/etc/hosts && mkdir -p /etc/roster ~/authority`));
  const program = join(import.meta.dir, "serve-forges.ts");
  await machine.leave(
    `${process.execPath} ${program} ~/authority ~/served`,
    /the forges are there/,
  );
  const authority = "~/authority/ca.pem";
  const trusts = `NODE_EXTRA_CA_CERTS=${authority} GIT_SSL_CAINFO=${authority}`;
  expectDone(await machine.paste(`export ${trusts}`));
  const tokens = "git.token github.token /etc/roster/git.token";
  expectDone(await machine.paste(`(umask 077; echo invented-token | tee ${tokens})`));
}

/** Starts a PostgreSQL, and sets the variables of the terminal for its superuser. */
export async function startPostgres(machine: Machine): Promise<void> {
  const program = join(import.meta.dir, "../../postgres/serve.ts");
  const serve = `tail -f /dev/null | ${process.execPath} ${program}`;
  const { output } = await machine.leave(serve, /^postgres:.*\n/m);
  const { hostname, port, username, password } = new URL(
    output().match(/^postgres:.*/m)?.[0] ?? "",
  );
  const variables = `PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGPASSWORD=${password}`;
  expectDone(await machine.paste(`export ${variables}`));
}

/** Starts an S3 server with the bucket `backups`, and sets the variables of the terminal for it. */
export async function startStorage(machine: Machine): Promise<void> {
  const program = join(import.meta.dir, "../../../scripts/storing/storage.ts");
  const { output } = await machine.leave(`${process.execPath} ${program} start`, /^bucket /m);
  const variables = ["endpoint", "region", "key id", "secret"].map((label) => {
    const value = new RegExp(`^${label} (\\S+)$`, "m").exec(output())?.[1];
    return `ROSTER_S3_${label.replace(" ", "_").toUpperCase()}=${value}`;
  });
  expectDone(await machine.paste(`export ${variables.join(" ")}`));
}

interface Found {
  readonly data: { readonly results: readonly { readonly login: string }[] };
}

/** @returns the logins of everybody in a place, in the order of the alphabet. */
export async function searchPeople(machine: Machine, place: string): Promise<readonly string[]> {
  const said = await machine.paste(`roster search ${place} --json --max-results 100`);
  const { data } = JSON.parse(expectDone(said)) as Found;
  return data.results.map(({ login }) => login).sort();
}

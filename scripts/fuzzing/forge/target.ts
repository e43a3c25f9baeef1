/**
 * Ingests forges that answer wrongly, with `roster ingest github|gitlab|gitea`. When they answer honestly again, all
 * people must be there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import fc from "fast-check";
import { type ForgeKind, forgeKinds } from "../../../src/contract/forge-kinds.ts";
import { git, inventRepository } from "../../../test/ingest/git/invented-repository.ts";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import type { Schema } from "../json/values.ts";
import { crashIn, runProgram } from "../program.ts";
import { answerHonestly, logins, reviewedOrigin } from "./answers.ts";
import { type Mischief, mischiefs, spoilText } from "./mischief.ts";

interface Case {
  readonly kind: ForgeKind;
  readonly isAll: boolean;
  /** Faults by the number of the request, from 0. */
  readonly mischiefs: readonly { readonly at: number; readonly what: Mischief }[];
}

const token = "token-that-nobody-may-see";
/** The most memory of the compiled program, which needs some 150 MB to start. */
const memoryMax = 900 * 2 ** 20;
/** The most requests of one run: the program must give up on an endless list. */
const requestsMax = 600;

export const openForgeTarget: OpenTarget = async (folder) => {
  const listLogins = await openExport(folder);
  const clone = inventRepository(join(folder, "app.git"), [
    { author: "Dev 1 <dev1@corp.example>" },
  ]);
  git(clone, "config", "remote.origin.url", reviewedOrigin);
  const forge = await serveForge();
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  let memory = 0;
  const tally = { whole: 0, partial: 0, refused: 0 };
  const run = async (argv: readonly string[]) => {
    const ran = await runProgram(folder, argv);
    memory = Math.max(memory, ran.memory);
    const said = ran.stdout + ran.stderr;
    const crash = crashIn(said);
    if (crash) throw new Error(`crash: ${crash}`);
    if (said.includes(token)) throw new Error(`the token is in what it says: ${said.slice(-300)}`);
    return ran;
  };
  const ingest = async ({ kind, isAll }: Case, data: string, some: Case["mischiefs"]) => {
    forge.begin(kind, some);
    const selection = isAll
      ? ["--all"]
      : kind === "gitlab"
        ? ["--group", "acme"]
        : ["--org", "acme"];
    const access = ["--url", forge.url, "--token-file", tokenFile, "--wait", "0"];
    const argv = ["ingest", kind, ...access, ...selection, "--json", "--data", data];
    const ran = await run([...argv, "--max-people", "200", "--as-of", "2026-11-21"]);
    if (forge.asked() > requestsMax) throw new Error(`it asked ${forge.asked()} times`);
    if (forge.elsewhere() > 0) throw new Error("another origin was asked");
    return ran;
  };
  return defineTarget<Case>({
    cases,
    tryCase: async (one) => {
      const data = join(folder, "data");
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data);
      memory = 0;
      // Without a history, nobody asks for reviews.
      await run(["ingest", "git", clone, "--data", data, "--as-of", "2026-11-21"]);
      const { exitCode, stdout, stderr } = await ingest(one, data, one.mischiefs);
      await listLogins(data);
      if (![0, 3, 5].includes(exitCode)) throw new Error(`ended with ${exitCode}: ${stderr}`);
      if (exitCode !== 0) tally.refused += 1;
      else if (JSON.parse(stdout).isComplete) tally.whole += 1;
      else tally.partial += 1;
      if (memory > memoryMax) throw new Error(`it held ${Math.round(memory / 2 ** 20)} MB`);
      // The first run continues where the faulty one ended, with its people; the second starts from the beginning.
      for (let honest = 0; honest < 2; honest += 1) {
        const again = await ingest(one, data, []);
        if (again.exitCode !== 0) throw new Error(`an honest run fails then: ${again.stderr}`);
      }
      const people = await listLogins(data);
      const absent = logins.filter((login) => !people.includes(login));
      if (absent.length > 0) throw new Error(`${absent.length} honest people are not there then`);
    },
    reproduce: (one) => JSON.stringify(one).slice(0, 3000),
    memory: () => memory,
    isLasting: false,
    notes: () => `; ${tally.whole} read, ${tally.partial} paused, ${tally.refused} refused`,
    end: async () => {
      forge.stop();
      return [];
    },
  });
};

const cases = fc.record<Case>({
  kind: fc.constantFrom(...forgeKinds),
  isAll: fc.boolean(),
  mischiefs: fc.array(fc.record({ at: fc.nat(6), what: mischiefs }), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** @returns a function that lists the logins of a folder and checks its facts. */
async function openExport(folder: string) {
  const schema = await runProgram(folder, ["import", "--schema"]);
  const isFacts = new Ajv2020({ strict: false }).compile(JSON.parse(schema.stdout) as Schema);
  return async (data: string) => {
    const out = join(data, "people");
    const { exitCode, stderr } = await runProgram(folder, ["export", out, "--data", data]);
    if (exitCode !== 0) throw new Error(`export ended with ${exitCode}: ${stderr.slice(-300)}`);
    const people = readFileSync(out, "utf8").split("\n").filter(Boolean);
    const wrong = people.find((line) => !isFacts(JSON.parse(line)));
    if (wrong) throw new Error(`facts against the schema: ${wrong.slice(0, 300)}`);
    if (people.length === 0) return [];
    // The export must be valid as a whole.
    const again = ["import", out, "--strict", "--data", join(data, "again")];
    const taken = await runProgram(folder, again);
    if (taken.exitCode !== 0) throw new Error(`facts are refused: ${taken.stderr.slice(0, 300)}`);
    return people.map((line) => (JSON.parse(line) as { login: string }).login);
  };
}

/** Serves one forge for all cases, and another origin that must not be asked. */
async function serveForge() {
  let kind: ForgeKind = "gitea";
  let some: Case["mischiefs"] = [];
  let asked = 0;
  let elsewhere = 0;
  const other = createServer((_, response) => {
    elsewhere += 1;
    response.end("[]");
  });
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes: Buffer) => (body += bytes.toString()));
    request.on("end", () => {
      const what = some.find(({ at }) => at === asked)?.what;
      asked += 1;
      answer(request, response, { kind, what, body, elsewhere: addressOf(other), number: asked });
    });
  });
  await Promise.all(
    [server, other].map(
      (one) => new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve)),
    ),
  );
  return {
    url: addressOf(server),
    asked: () => asked,
    elsewhere: () => elsewhere,
    begin: (next: ForgeKind, theirs: Case["mischiefs"]) => {
      [kind, some, asked, elsewhere] = [next, theirs, 0, 0];
    },
    stop: () => {
      for (const one of [server, other]) one.close();
    },
  };
}

const addressOf = (server: { address(): unknown }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    kind,
    what,
    body,
    elsewhere,
    number,
  }: {
    readonly kind: ForgeKind;
    readonly what: Mischief | undefined;
    readonly body: string;
    readonly elsewhere: string;
    readonly number: number;
  },
): void {
  const url = request.url ?? "/";
  const path = url.split("?")[0] ?? "";
  // The later pages of a list with only one page are empty.
  const isLater = /[?&]page=(?!1\b)/.test(url);
  const honest = isLater ? [] : answerHonestly(kind, path, body);
  const text = spoilText(honest, what);
  if (what?.kind === "cut") {
    response.writeHead(200, { "content-length": text.length + 100 });
    response.write(text, () => request.socket.destroy());
    return;
  }
  if (what?.kind === "redirect") {
    const location = what.isElsewhere ? `${elsewhere}/users` : url;
    response.writeHead(what.status, { location }).end();
    return;
  }
  const status = what?.kind === "status" ? what.status : honest === undefined ? 404 : 200;
  const next = what?.kind === "endless" ? (what.isSame ? url : `${path}?page=${number + 1}`) : "";
  response.writeHead(status, {
    "content-type": "application/json",
    ...(next && { link: `<${next}>; rel="next"` }),
    ...(what?.kind === "header" && { [what.name]: what.value }),
  });
  response.end(status === 204 || status === 304 ? undefined : text);
}

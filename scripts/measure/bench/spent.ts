/**
 * What requests cost that cost no call: processor time of the server for each, as the median of 50, of guests and of an account
 * that has spent its quota. `--program FILE` measures another executable.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { openDataFolder } from "../../../src/appliance/appliance.ts";
import { readConfig } from "../../../src/config/config.ts";
import { savedLimits } from "../../../src/control/saved-records.ts";
import {
  form,
  goodPassword,
  openPerson,
  type Person,
} from "../../../test/interfaces/web/person.ts";
import { inventAuthorship } from "../invented-authorship.ts";
import { fillFolder } from "../large-folder.ts";
import { defineMeasurement } from "../measurement.ts";
import { roster, startRoster } from "../processes.ts";
import { atMost, median, type Row } from "../rows.ts";

const barMs = 10;
const times = 50;
const email = "spent@example.com";
const crowd = "example/crowd";
const ofCrowd = `repository=${encodeURIComponent(crowd)}`;
const costly = `skills=${Array.from({ length: 1900 }, (_, at) => `w${at}`).join(",")}`;
const skills = "Go,Rust,React,Python,PostgreSQL,Docker,Kubernetes,TypeScript,Java,Linux".split(",");

/** A request that differs each time, so that no answer is kept. */
interface Case {
  readonly name: string;
  readonly path: (at: number) => string;
  readonly init?: (at: number) => RequestInit;
}

export const measurement = defineMeasurement({
  about: "Processor time of requests that cost no call: of guests, and with spent quota.",
  options: { people: 10_000, knowers: 6100, program: "" },
  async run({ people, knowers, program, work }) {
    const data = join(work, "data");
    await fillFolder(data, people);
    const { token, list, logins } = await prepare(data, knowers);
    const flags = ["--quota-lookups-per-minute", "100000"];
    const server = await startRoster(data, flags, program === "" ? roster : [program]);
    const guest = openBrowser(server.address);
    const spent = openBrowser(server.address);
    await spent.send(`/invitation?token=${token}`, "redeem", { password: goodPassword });
    const rows: Row[] = [];
    const measure = async (who: string, person: Person, cases: readonly Case[]) => {
      for (const one of cases) {
        const value = await measureCase(server.pid, person, one);
        rows.push(atMost(barMs, { name: `spent.${who}.${one.name}`, value, unit: "ms of CPU" }));
      }
    };
    await measure("guest", guest, listGuestCases(await guest.tokenOn("/docs")));
    const [login = ""] = logins;
    const paid = [
      `/who?${ofCrowd}`,
      "/?location=worldwide&skills=Go",
      `/developers/${login}?skills=Go`,
    ];
    for (const path of paid) await spent.open(path);
    const formToken = await spent.tokenOn("/who");
    await measure("kept", spent, [
      { name: "developer-other-filters", path: (at) => `/developers/${login}?${chooseSkills(at)}` },
      { name: "developer-again", path: () => paid[2] as string },
      { name: "search-again", path: () => paid[1] as string },
      { name: "csv", path: () => `/who/people.csv?${ofCrowd}` },
      { name: "everybody", path: (at) => `/who/people?${ofCrowd}&page=${at}` },
      { name: "folders", path: (at) => `/who?${ofCrowd}&open=${["core", "api", "net"][at % 3]}` },
    ]);
    await measure("refused", spent, listSpentCases(formToken, login));
    const open = ["/", "/saved", `/saved/lists/${list}`, `/saved/lists/${list}?format=csv`];
    const account = ["", "/api", "/assistants", "/security"].map((path) => `/account${path}`);
    for (const path of [...open, ...account, "/docs", "/who", "/compare"]) {
      await measure("page", spent, [{ name: path.replace(list, "ID"), path: () => path }]);
    }
    await server.kill();
    return { rows };
  },
});

const chooseSkills = (at: number) =>
  `skills=${skills.filter((_, bit) => ((at + 1) >> bit) & 1).join(",")}`;

function listGuestCases(token: string): readonly Case[] {
  const many = Array.from({ length: 2500 }, (_, at) => `${at.toString(36)}=x`).join("&");
  return [
    { name: "form-of-2500-fields", path: () => "/docs", init: () => post(many) },
    {
      name: "form-with-token",
      path: () => "/docs",
      init: () => post(`act=try&token=${token}&${many}`),
    },
    { name: "call-without-key", path: () => "/docs", init: () => form({ token, act: "try" }) },
    { name: "home", path: () => "/" },
    {
      name: "saved",
      path: () => "/saved",
      init: () => form({ token, act: "new-list", name: "x" }),
    },
  ];
}

function listSpentCases(token: string, login: string): readonly Case[] {
  const million = Array.from({ length: 1_000_000 }, (_, at) => `f${at}=`).join("&");
  const path = () => "/who";
  const diff = (at: number) =>
    Array.from({ length: 500 }, (_, line) => `made/up-${at}/folder-${line}/file.ts`).join("\n");
  const day = (at: number) => new Date(1.6e12 + at * 86_400_000).toISOString().slice(0, 10);
  return [
    { name: "form-of-million-fields", path, init: () => post(million) },
    { name: "form-with-token", path, init: () => post(`act=review&token=${token}&${million}`) },
    { name: "diff", path, init: (at) => form({ token, act: "review", diff: diff(at) }) },
    {
      name: "diff-of-mebibyte",
      path,
      init: () => form({ token, act: "review", diff: "€\n".repeat(5e5) }),
    },
    { name: "who-as-of", path: (at) => `/who?${ofCrowd}&asOf=${day(at)}` },
    { name: "who-slip", path: (at) => `/who?repository=example/crwd-${at}` },
    { name: "who-path-slip", path: (at) => `/who?${ofCrowd}&path=cor-${at}/ap/net` },
    { name: "who-without", path: (at) => `/who?${ofCrowd}&without=nobody-${at}` },
    { name: "news", path: (at) => `/search/news?revision=1&people=${at}&${costly}` },
    { name: "news-years", path: () => "/search/news?revision=1&people=0&years=abc" },
    { name: "search", path: (at) => `/?${chooseSkills(at)}` },
    { name: "search-1900-words", path: (at) => `/?${costly},${at}` },
    { name: "search-long-role", path: (at) => `/?role=${"backend go ".repeat(700)}${at}` },
    { name: "search-place-slip", path: (at) => `/?location=Berlni-${at}` },
    { name: "search-long-place", path: (at) => `/?location=${"berlni ".repeat(1000)}${at}` },
    { name: "search-csv", path: (at) => `/search/people.csv?${chooseSkills(at)}` },
    { name: "developer", path: (at) => `/developers/${login}-${at}?${chooseSkills(at)}` },
    { name: "compare", path: (at) => `/compare?login=${login}&login=a-${at}&${chooseSkills(at)}` },
    { name: "find", path: (at) => `/find?text=ada+${at}` },
    { name: "names", path: (at) => `/find/names?q=ada+exampel+${at}` },
    { name: "terms-place", path: (at) => `/search/terms?field=location&q=berlni+${at}` },
    { name: "terms-skills", path: (at) => `/search/terms?field=skills&q=kubernets+${at}` },
    { name: "terms-languages", path: (at) => `/search/terms?field=languages&q=ja${at % 10}` },
    { name: "terms-repositories", path: (at) => `/search/terms?field=repositories&q=crwd+${at}` },
    { name: "who-terms", path: (at) => `/who/terms?field=path&${ofCrowd}&q=fil${at % 10}` },
    { name: "who-terms-repositories", path: (at) => `/who/terms?field=repository&q=crwd${at}` },
    {
      ...{ name: "try-call", path: () => "/docs" },
      init: () =>
        form({ token, act: "try", operation: "who_knows", request: `{"repository":"${crowd}"}` }),
    },
  ];
}

const post = (body: string) => ({ ...form({}), body });

async function measureCase(pid: number, person: Person, { path, init }: Case): Promise<number> {
  const costs: number[] = [];
  const rounds = times + 5;
  for (let at = 0; at < rounds; at++) {
    const sent = init?.(at);
    const before = readNanoseconds(pid);
    await person.ask(path(at), sent);
    costs.push((readNanoseconds(pid) - before) / 1e6);
  }
  // In the first rounds the code is still being compiled.
  return median(costs.slice(rounds - times));
}

/** Processor time of all threads so far. */
function readNanoseconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => {
    try {
      return sum + Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      return sum;
    }
  }, 0);
}

function openBrowser(address: string): Person {
  const handle = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    if (headers.has("origin")) headers.set("origin", address);
    const body = method === "POST" ? await request.arrayBuffer() : undefined;
    return fetch(`${address}${pathname}${search}`, {
      ...{ method, headers, body },
      redirect: "manual",
    });
  };
  return openPerson({ handle });
}

/** An account with three calls, the longest list that there can be, and a repository of many people. */
async function prepare(data: string, knowers: number) {
  const { config } = readConfig({ data, adminKeyFile: `${data}.key` }, {});
  const [log, now] = [pino({ level: "silent" }), () => new Date()];
  const around = { now, log, newId: () => crypto.randomUUID(), version: "0.0.0-bench" };
  const folder = await openDataFolder(config, around, { create: false, search: false });
  const { accounts, pool } = folder.modules;
  const logins = (await Array.fromAsync(pool.facts()))
    .flat()
    .map(({ login }) => login)
    .slice(0, knowers);
  const { repository } = inventAuthorship({
    name: crowd,
    commits: 100_000,
    files: 12_000,
    people: logins,
  });
  await pool.authorship.replace(repository);
  await pool.authorship.nameAuthors(repository.key, logins);
  const { id } = await accounts.createWithoutKey({ email, plan: "pro", callsPerMonth: 3 });
  const { token } = await accounts.makeLink(email, "invitation");
  const list = "lst_bench";
  const by = { at: now(), actor: id, action: "list.added", subject: list, detail: {} } as const;
  await folder.control.saved.addList(id, { id: list, name: "Everybody" }, by);
  for (const login of logins.slice(0, savedLimits.entriesMax)) {
    await folder.control.saved.putEntry(id, list, { login, note: "", at: now() });
  }
  await folder.close();
  return { token, list, logins };
}

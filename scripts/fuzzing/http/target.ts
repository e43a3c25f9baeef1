/**
 * The sockets of the API: bytes that are nearly a request, connections that carry many calls or break off, and the exact
 * count of calls over every sequence. test/contract/ checks what each operation takes and answers.
 */
import { type OpenapiDocument, openValidator } from "../../../test/api-client.ts";
import { printed } from "../bytes.ts";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import { describeServer, type Server, startServer } from "../program.ts";
import { weighted } from "../weighted.ts";
import { type Conversation, conversations } from "./conversations.ts";
import { type Answered, abandon, exchange } from "./exchange.ts";
import { type Raw, rawBytes } from "./raw-bytes.ts";
import { type ApiDocument, bytesOf, type Call, goodCredentials, listExamples } from "./requests.ts";

export const openHttpTarget: OpenTarget = async (folder) => {
  const server = await startServer(folder);
  const { port } = server;
  const keys = await makeKeys(server);
  const document = await (await fetch(`${server.address}/v1/openapi.json`)).json();
  const examples = listExamples(document as ApiDocument);
  const checks = openChecks(document as OpenapiDocument);
  const filled = (bytes: string) => bytes.replace(/\{(\w+)\}/g, (all, name) => keys[name] ?? all);
  const statuses = new Map<number, number>();
  const usedBy = async (key: "raw" | "abandoned") => {
    const headers = { "x-api-key": keys[key] ?? "" };
    const answer = await fetch(`${server.address}/v1/lookup?q=Go`, { headers });
    return ((await answer.json()) as { meta: { quota: { used: number } } }).meta.quota.used;
  };
  // The first call of a kind takes long. If it were abandoned before its answer, it would be counted during a later case.
  for (const call of examples) await exchange(port, [filled(bytesOf(call))]);
  checks.expectUsed(undefined);
  let raw = await usedBy("raw");
  let abandoned = 0;
  const tryRaw = async (bytes: string) => {
    const { answers } = await exchange(port, [filled(bytes)], { wanted: 9, silenceMs: 60 });
    for (const answer of answers) checks.rough(answer);
    const counted = answers.filter(({ status }) => status === 200 || status === 404).length;
    const before = raw;
    raw = await usedBy("raw");
    const most = Math.max(1, bytes.split(/HTTP\//i).length - 1);
    if (raw - before > most)
      throw new Error(`${raw - before} calls counted where ${most} were sent`);
    if (raw - before > counted + 1)
      throw new Error(`${raw - before} calls counted, ${counted} answered`);
  };
  const converse = async ({ calls, pieceBytes, share }: Conversation) => {
    if (share < 1) {
      abandoned += calls.length;
      const sent = filled(calls.map(bytesOf).join("").replaceAll("{main}", "{abandoned}"));
      return abandon(port, sent.slice(0, sent.length * share), pieceBytes);
    }
    const texts = calls.map((call) => filled(bytesOf(call)));
    const { answers, isSilent, rest } = await exchange(port, texts, { pieceBytes });
    for (const [at, answer] of answers.entries()) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      checks.exact(calls[at] as Call, answer);
    }
    if (answers.length === calls.length) return;
    if (isSilent) throw new Error(`hang: ${answers.length} of ${calls.length} answers`);
    // A server may close a connection after an answer that announces it.
    if (answers.at(-1)?.headers.get("connection") === "close") return checks.expectUsed(undefined);
    throw new Error(`closed after ${answers.length} of ${calls.length} answers: ${rest}`);
  };
  const described = describeServer(server, statuses);
  return defineTarget<Conversation | Raw>({
    cases: weighted([4, conversations(examples)], [1, rawBytes(examples)]),
    tryCase: (one) => (one.kind === "raw" ? tryRaw(one.bytes) : converse(one)),
    reproduce: (one) => {
      const bytes = one.kind === "raw" ? one.bytes : one.calls.map(bytesOf).join("");
      const { calls: _, ...manner } = { calls: [], ...one, bytes: undefined };
      return `printf '%b' '${printed(bytes)}' # ${JSON.stringify(manner)}`;
    },
    ...described,
    end: async () => {
      const used = await usedBy("abandoned");
      const complaints = await described.end();
      if (used <= abandoned) return complaints;
      return [...complaints, `${used} calls counted where ${abandoned} were begun`];
    },
  });
};

async function makeKeys(server: Server): Promise<Readonly<Record<string, string>>> {
  const keyOf = async (name: string, ...flags: string[]): Promise<string> => {
    const plan = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
    return (await server.command("account", "create", `${name}@example.com`, ...plan, ...flags))
      .key;
  };
  const [main, raw, abandoned] = [
    await keyOf("main"),
    await keyOf("raw"),
    await keyOf("abandoned"),
  ];
  const exhausted = await keyOf("exhausted", "--calls-per-month", "1");
  await fetch(`${server.address}/v1/users/ada-example`, { headers: { "x-api-key": exhausted } });
  const disabled = await keyOf("disabled");
  await server.command("account", "disable", "disabled@example.com");
  const revoked = await keyOf("revoked");
  await server.command("key", "regenerate", "revoked@example.com");
  return { main, raw, abandoned, exhausted, disabled, revoked };
}

const freePaths = ["/v1/lookup", "/v1/usage"];

/** @returns the calls that an answer costs. */
function countCost(path: string, status: number, body: unknown): number {
  if (![200, 304, 404].includes(status) || freePaths.includes(path)) return 0;
  const { calls = 1 } = (body as { data?: { calls?: number } } | undefined)?.data ?? {};
  return path === "/v1/users/batch" ? calls : 1;
}

function openChecks(document: OpenapiDocument) {
  const validate = openValidator(document);
  /** Calls counted for the main account so far; undefined after an answer that may have been lost. */
  let known: number | undefined;

  /** Checks an answer to any bytes. */
  const rough = ({ status, headers, body }: Answered) => {
    // Bun refuses an unknown version of HTTP before there is a request.
    const isVersion = status === 505 && body === "";
    if (status >= 500 && !isVersion) throw new Error(`${status}: ${body.slice(0, 200)}`);
    if (headers.get("content-type") === "application/json" && body !== "") JSON.parse(body);
  };
  /** Checks an answer to a call that keeps to the framing of HTTP. */
  const exact = (call: Call, answer: Answered) => {
    rough(answer);
    const { status, headers } = answer;
    const { method, credential } = call;
    const path = call.target.replace(/\?.*/, "");
    const body = answer.body === "" ? undefined : JSON.parse(answer.body);
    validate({ method, path }, { status, headers, body });
    const cost = countCost(path, status, body);
    if (status === 304 && known !== undefined) known += cost;
    const quota = body?.meta?.quota as { used: number } | undefined;
    if (!quota || credential === "exhausted") return;
    if (!goodCredentials.includes(credential)) {
      throw new Error(`${credential}: ${status} for a credential that is not good`);
    }
    const expected = known === undefined ? quota.used : known + cost;
    known = quota.used;
    if (quota.used !== expected) {
      throw new Error(`used is ${quota.used} after a ${status}, not ${expected}`);
    }
  };
  const expectUsed = (used: number | undefined) => {
    known = used;
  };
  return { rough, exact, expectUsed };
}

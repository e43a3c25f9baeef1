/** The API over its socket. */
import fc from "fast-check";
import { type OpenapiDocument, openValidator } from "../../../test/api-client.ts";
import { printed } from "../bytes.ts";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import type { Schema } from "../json/values.ts";
import { describeServer, type Server, startServer } from "../program.ts";
import { type Answered, exchange } from "./exchange.ts";
import { type Raw, rawBytes } from "./raw-bytes.ts";
import { bytesOf, type Call, goodCredentials, listExamples, requestsTo } from "./requests.ts";

export const openHttpTarget: OpenTarget = async (folder) => {
  const server = await startServer(folder);
  const keys = await makeKeys(server);
  const document = (await (await fetch(`${server.address}/v1/openapi.json`)).json()) as Schema;
  const checks = openChecks(document as unknown as OpenapiDocument);
  const filled = (bytes: string) => bytes.replace(/\{(\w+)\}/g, (all, name) => keys[name] ?? all);
  const statuses = new Map<string, number>();
  const send = async (call: Call) => {
    const { answers, isSilent, rest } = await exchange(server.port, filled(bytesOf(call)), {
      isHead: call.method === "HEAD",
    });
    const [answer] = answers;
    if (isSilent) throw new Error(`hang: no answer to ${call.method}`);
    if (!answer) throw new Error(`no answer to ${call.method}: ${rest.slice(0, 100) || "closed"}`);
    statuses.set(`${answer.status}`, (statuses.get(`${answer.status}`) ?? 0) + 1);
    return answer;
  };
  const usedByRaw = async () => {
    const answer = await send({ ...plainCall, headers: [["X-Api-Key", "{raw}"]] });
    return JSON.parse(answer.body).meta.quota.used as number;
  };
  // The first call of a kind takes long: given up before its answer, it would be counted among the next ones.
  for (const call of listExamples(document)) {
    await send({ ...call, headers: [...call.headers, ["X-Api-Key", "{raw}"]] });
  }
  let raw = await usedByRaw();
  const tryRaw = async (bytes: string) => {
    const { answers } = await exchange(server.port, filled(bytes), {
      wanted: 9,
      silenceMs: 60,
      isHead: bytes.startsWith("HEAD"),
    });
    for (const answer of answers) checks.rough(answer);
    const counted = answers.filter(({ status }) => status === 200 || status === 404).length;
    const used = (await usedByRaw()) - raw - 1;
    raw += used + 1;
    const most = Math.max(1, bytes.split(/HTTP\//i).length - 1);
    if (used > most) throw new Error(`${used} calls counted where ${most} were sent`);
    if (used > counted + 1) throw new Error(`${used} calls counted, ${counted} answered`);
  };
  return defineTarget<Call | Raw>({
    cases: fc.oneof(
      { weight: 8, arbitrary: requestsTo(document) },
      { weight: 1, arbitrary: rawBytes(requestsTo(document)) },
    ),
    tryCase: async (one) => {
      if (one.kind === "raw") await tryRaw(one.bytes);
      else checks.exact(one, await send(one));
    },
    reproduce: (one) => `printf '%b' '${printed(one.kind === "raw" ? one.bytes : bytesOf(one))}'`,
    ...describeServer(server, statuses),
  });
};

const plainCall: Call = {
  kind: "call",
  method: "GET",
  target: "/v1/users/ada-example",
  credential: "none",
  headers: [],
  body: undefined,
};

async function makeKeys(server: Server): Promise<Readonly<Record<string, string>>> {
  const keyOf = async (name: string, ...flags: string[]): Promise<string> => {
    const plan = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
    return (await server.command("account", "create", `${name}@example.com`, ...plan, ...flags))
      .key;
  };
  const [main, raw, exhausted] = [
    await keyOf("main"),
    await keyOf("raw"),
    await keyOf("exhausted", "--calls-per-month", "1"),
  ];
  await fetch(`${server.address}/v1/users/ada-example`, { headers: { "x-api-key": exhausted } });
  const disabled = await keyOf("disabled");
  await server.command("account", "disable", "disabled@example.com");
  const revoked = await keyOf("revoked");
  await server.command("key", "regenerate", "revoked@example.com");
  return { main, raw, exhausted, disabled, revoked };
}

/** Operations whose answers cost nothing. */
const freeOperations = ["lookup_terms"];

function openChecks(document: OpenapiDocument) {
  const validate = openValidator(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
      isFree: freeOperations.includes((operation as { operationId?: string }).operationId ?? ""),
    })),
  );
  let known: number | undefined;

  /** What must hold for bytes of any kind. */
  const rough = ({ status, headers, body }: Answered) => {
    // An unknown version of HTTP, which Bun refuses before there is a request.
    const isVersion = status === 505 && body === "";
    if (status >= 500 && !isVersion) throw new Error(`${status}: ${body.slice(0, 200)}`);
    if (headers.get("content-type") === "application/json" && body !== "") JSON.parse(body);
  };
  const exact = (call: Call, answer: Answered) => {
    rough(answer);
    const { status, headers } = answer;
    // What Bun refuses before there is a request has no body: headers beyond its bound.
    if (status === 431 && answer.body === "") return;
    const path = pathOf(call.target);
    const isJson = headers.get("content-type") === "application/json";
    const body = isJson && answer.body !== "" ? JSON.parse(answer.body) : undefined;
    if (path.startsWith("/v1")) validate({ method: call.method, path }, { status, headers, body });
    const asked = operations.find(
      ({ method, pattern }) => method === call.method && pattern.test(path),
    );
    const isGood = goodCredentials.includes(call.credential);
    // No body tells, but it counts.
    if (call.method === "HEAD" && isGood && (status === 200 || status === 404)) {
      const isGet = operations.some(
        ({ method, pattern, isFree }) => method === "GET" && !isFree && pattern.test(path),
      );
      if (known !== undefined && isGet) known += 1;
    }
    const quota = body?.meta?.quota as { used: number; limit: number } | undefined;
    if (quota && !asked) throw new Error(`${call.method} ${path} is no operation and has a quota`);
    if (quota && !isGood && call.credential !== "exhausted") {
      throw new Error(`${call.credential}: ${status} for what is no good credential`);
    }
    if (!quota || !asked || !isGood) return;
    const isCounted = (status === 200 || status === 404) && !asked.isFree;
    const expected: number | undefined =
      known === undefined ? undefined : known + Number(isCounted);
    known = quota.used;
    if (expected !== undefined && quota.used !== expected) {
      throw new Error(`used is ${quota.used} after a ${status}, not ${expected}`);
    }
  };
  return { rough, exact };
}

/** As the server reads it: `/v1/%2e%2e` is `/`. */
function pathOf(target: string): string {
  return new URL(`http://localhost${target}`).pathname;
}

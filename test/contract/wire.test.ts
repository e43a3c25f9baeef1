/** What only a socket shows: framing, limits, idle and stopping. The figures are those of docs/api.md, "HTTP". */
import { afterAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { limits } from "../../src/contract/limits.ts";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance();
const port = Number(new URL(appliance.listen()).port);
const key = (await appliance.newAccount("pro")).key;
afterAll(() => appliance.close());

/** Sends bytes as they are, and gives all that comes back until `isEnough` or the other side closes. */
function exchange(
  sent: string,
  isEnough: (received: string) => boolean = (received) => answers(received).length > 0,
): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket: Socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(end, 60_000);
    socket.on("data", (chunk) => {
      received += chunk;
      if (isEnough(received)) end();
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Whole answers, by their announced length. */
function answers(received: string): Answered[] {
  const found: Answered[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1];
    if (end < 0 || !status) return found;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return found;
    found.push({ status: Number(status), body });
    rest = rest.slice(end + 4 + length);
  }
}

const one = async (sent: string): Promise<Answered | undefined> => answers(await exchange(sent))[0];
const head = (line: string, ...fields: string[]) =>
  `${[line, "Host: localhost", `X-Api-Key: ${key}`, ...fields].join("\r\n")}\r\n\r\n`;
const post = (...fields: string[]) =>
  head("POST /v1/search HTTP/1.1", "Content-Type: application/json", ...fields);
const code = (answered: Answered | undefined) => JSON.parse(answered?.body ?? "null")?.error?.code;
const used = async () =>
  (await appliance.client.get("ada-example", key)).body.meta.quota.used as number;

describe("On the wire", () => {
  test("200 twice on one connection, one after the other", async () => {
    const call = head("GET /v1/users/ada-example HTTP/1.1");
    const statuses = await new Promise<number[]>((resolve) => {
      let received = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(call));
      socket.on("data", (chunk) => {
        const before = answers(received).length;
        received += chunk;
        const { length } = answers(received);
        if (length === 1 && before === 0) socket.write(call);
        if (length === 2) socket.destroy();
      });
      socket.on("close", () => resolve(answers(received).map(({ status }) => status)));
    });
    expect(statuses).toEqual([200, 200]);
  });

  test("pipelined calls are answered, or the connection closes with one charge at most", async () => {
    const before = await used();
    const call = head("GET /v1/users/ada-example HTTP/1.1");
    const received = await exchange(call.repeat(3), (text) => answers(text).length === 3);
    const charged = (await used()) - before - 1;
    expect(charged).toBeLessThanOrEqual(Math.max(1, answers(received).length));
  });

  test("calls sent at once are closed without an answer, and then nothing is charged", async () => {
    const call = post("Content-Length: 21");
    const get = head("GET /v1/users/ada-example HTTP/1.1");
    const tool = JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "get_developer", arguments: { login: "ada-example" } },
    });
    const mcp = head(
      ...[
        "POST /mcp HTTP/1.1",
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2025-06-18",
      ],
      ...["Accept: application/json, text/event-stream", `Content-Length: ${tool.length}`],
    );
    const calls = [`${call}{"location":"Berlin"}`, get, `${mcp}${tool}`];
    for (const sent of calls.map((each) => each.repeat(3))) {
      const before = await used();
      const received = await exchange(sent, (text) => answers(text).length === 3);
      expect((await used()) - before - 1).toBe(answers(received).length);
    }
  });

  test("401 for the key in two headers of the same name, as a socket sends them", async () => {
    for (const second of [`X-Api-Key: ${key}`, "X-Api-Key: x", `Authorization: Bearer ${key}`]) {
      const answered = await one(head("GET /v1/users/ada-example HTTP/1.1", second));
      expect([answered?.status, code(answered)]).toEqual([401, "unauthorized"]);
    }
  });

  test("400 in the envelope for two Host fields, an empty one, and an impossible one", async () => {
    for (const host of [
      ...["Host: a\r\nHost: b", "Host:", "Host: a b<>"],
      ...["Host: [", "Host: ::1", "Host: a:99999", "Host: a:b", "Host: xn--"],
    ]) {
      for (const path of ["/v1/users/x", "/", "/sign-in", "/mcp", "/oauth2/authorize"]) {
        const answered = await one(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`);
        expect([host, path, answered?.status, code(answered)]).toEqual([
          ...[host, path],
          ...[400, "invalid_request"],
        ]);
      }
    }
  });

  test("400, uncounted, for raw bytes in the address that are no UTF-8, wherever it leads", async () => {
    const before = await used();
    for (const path of [
      ...["/v1/users/\xff", "/v1/users/ada\xc3", "/v1/users/\xed\xa0\x80", "/v1/users/x?y=\xff"],
      ...["/sign-in?next=\xff", "/sign-in?next=%ff", "/admin/accounts/\xff"],
      ...["/oauth2/authorize?client_id=\xff", "/oauth2/authorize?client_id=%ff"],
    ]) {
      const answered = await one(head(`GET ${path} HTTP/1.1`));
      expect([path, answered?.status]).toEqual([path, 400]);
    }
    const named = await one(head("GET /v1/users/\xff HTTP/1.1"));
    expect(JSON.parse(named?.body ?? "").error.message).toContain("percent-encoded UTF-8");
    // Raw UTF-8 is readable: a login that nobody has.
    expect((await one(head("GET /v1/users/\xc3\xa9 HTTP/1.1")))?.status).toBe(404);
    expect((await used()) - before).toBe(2);
  });

  test("any single host name reaches the routes, of one letter too", async () => {
    for (const host of ["a", "localhost:7171", "[::1]:7171", "roster.example"]) {
      const answered = await one(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(answered?.status).toBe(200);
    }
  });

  test("413 in the envelope for 50 MB announced, before they are sent", async () => {
    const answered = await one(post("Content-Length: 50000000") + "x".repeat(1000));
    expect([answered?.status, code(answered)]).toEqual([413, "invalid_request"]);
  });

  test("413 in the envelope for chunks beyond the bound", async () => {
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const chunks = chunk.repeat(limits.bodyBytesMax / 0x4000 + 1);
    const answered = await one(post("Transfer-Encoding: chunked") + chunks);
    expect([answered?.status, code(answered)]).toEqual([413, "invalid_request"]);
  });

  test("200 for a valid body in chunks", async () => {
    const body = JSON.stringify({ location: "Berlin" });
    const call = post("Transfer-Encoding: chunked");
    const answered = await one(`${call}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(answered?.status).toBe(200);
  });

  test("a body that is cut off is no fault of the server, and counts nothing", async () => {
    const before = await used();
    const sent = `${post("Content-Length: 100")}{"loc`;
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(sent, () => setTimeout(() => socket.destroy(), 50));
      });
      socket.on("close", () => resolve());
    });
    const noticed = () => appliance.log().includes('"status":400');
    while (!noticed()) await Bun.sleep(10);
    expect(appliance.log()).not.toContain("internal error");
    expect((await used()) - before).toBe(1);
  });

  // More of them, at the real program: test/security/http-shapes.test.ts.
  const ambiguous: Record<string, string> = {
    "length and chunks": "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "two lengths": "Content-Length: 5\r\nContent-Length: 6",
    "a signed length": "Content-Length: +5",
    "a hexadecimal length": "Content-Length: 0x5",
    "a negative length": "Content-Length: -1",
    "an unknown coding": "Transfer-Encoding: chunked, identity",
    "a folded field": "X-Folded: a\r\n b",
    "a space before the colon": "Content-Length : 5",
  };
  for (const [what, fields] of Object.entries(ambiguous)) {
    test(`never 200 for ${what}`, async () => {
      const before = await used();
      const received = answers(await exchange(`${post(fields)}{"location":"Berlin"}`));
      for (const { status } of received) expect(status).toBeGreaterThanOrEqual(400);
      for (const { status } of received) expect(status).toBeLessThan(500);
      expect((await used()) - before).toBe(1);
    });
  }

  test("431 or 400 for headers without end, never 500", async () => {
    const answered = await one(head("GET /livez HTTP/1.1", `X-Long: ${"y".repeat(20_000)}`));
    expect([400, 431]).toContain(answered?.status ?? 0);
    const many = Array.from({ length: 400 }, (_, index) => `X-${index}: y`);
    const flooded = await one(head("GET /livez HTTP/1.1", ...many));
    expect([undefined, 200, 400, 431]).toContain(flooded?.status);
  });

  test("404 for a path of 9 KB that can be no login", async () => {
    const answered = await one(head(`GET /v1/users/${"x".repeat(9000)} HTTP/1.1`));
    expect([answered?.status, code(answered)]).toEqual([404, "not_found"]);
  });

  test("405 for TRACE, which echoes nothing", async () => {
    const answered = await one(head("TRACE /v1/search HTTP/1.1", "X-Secret: echo"));
    expect(answered?.status).toBe(405);
    expect(answered?.body).not.toContain("echo");
  });

  test("calls in flight are answered when the server closes, and new ones are not taken", async () => {
    const stopping = await openTestAppliance();
    const address = stopping.listen();
    const account = await stopping.newAccount("pro");
    // Half a body holds each call in flight for sure; the rest comes once the server is closing.
    const body = JSON.stringify({ location: "Berlin" });
    const call = post(`Content-Length: ${body.length}`).replace(key, account.key);
    const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(address).port)));
    const received = sockets.map((socket) => collect(socket));
    // A first whole call on each shows that its connection was taken.
    for (const socket of sockets) socket.write(`${call}${body}`);
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once("data", resolve))),
    );
    const halves = sockets.map(
      (socket) => new Promise((resolve) => socket.write(`${call}${body.slice(0, 5)}`, resolve)),
    );
    await Promise.all(halves);
    // Who answers what came later, on connections of their own, has read what came before.
    const headers = { connection: "close" };
    for (let turn = 0; turn < 5; turn++) await fetch(`${address}/livez`, { headers });
    const closing = stopping.close();
    const isTaken = () => fetch(`${address}/livez`, { headers }).then(Boolean, () => false);
    while (await isTaken()) await Bun.sleep(10);
    for (const socket of sockets) socket.write(body.slice(5));
    const statuses = (await Promise.all(received)).map((text) =>
      answers(text).map(({ status }) => status),
    );
    expect(statuses).toEqual(Array(5).fill([200, 200]));
    await closing;
  });
});

test("a port that another server has is refused, never shared with it", async () => {
  const second = await openTestAppliance({ config: { port } });
  expect(() => second.listen()).toThrow("in use");
  await second.close();
});

/** All that a socket receives until it is closed. */
function collect(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(received));
  });
}

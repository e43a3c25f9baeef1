/** Malformed requests, sent byte by byte to the real program: refused, and not counted. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, startServer } from "../faults/server-process.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

const body = '{"location":"Berlin"}';
const size = body.length.toString(16);
const chunked = (chunks: string, coding = "chunked") =>
  `POST PATH\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunks}`;
const announced = (...lengths: string[]) =>
  `POST PATH\r\nContent-Type: application/json\r\n${lengths.map((length) => `Content-Length:${length}\r\n`).join("")}\r\n${body}`;
const headed = (field: string) => `GET PATH\r\n${field}\r\n\r\n`;

const shapes: Readonly<Record<string, string>> = {
  "a chunk beyond 64 bits": chunked(`FFFFFFFFFFFFFFFFFF\r\n${body}\r\n0\r\n\r\n`),
  "a chunk of the largest size": chunked(`7FFFFFFFFFFFFFFF\r\n${body}\r\n0\r\n\r\n`),
  "a chunk of negative size": chunked(`-5\r\n${body}\r\n0\r\n\r\n`),
  "a chunk size with 0x": chunked(`0x15\r\n${body}\r\n0\r\n\r\n`),
  "a chunk size in spaces": chunked(` ${size} \r\n${body}\r\n0\r\n\r\n`),
  "a chunk without a size": chunked(`\r\n${body}\r\n0\r\n\r\n`),
  "a chunk longer than it says": chunked(`${size}\r\n${body}XX0\r\n\r\n`),
  "chunks in bare line feeds": chunked(`${size}\n${body}\n0\n\n`),
  "a chunk extension of 100 KB": chunked(`${size};${"a".repeat(1e5)}\r\n${body}\r\n0\r\n\r\n`),
  "chunked twice": chunked(
    `${size}\r\n${body}\r\n0\r\n\r\n`,
    "chunked\r\nTransfer-Encoding: chunked",
  ),
  "a coding that sounds like chunked": chunked(`${size}\r\n${body}\r\n0\r\n\r\n`, "xchunked"),
  "chunked after a vertical tab": chunked(`${size}\r\n${body}\r\n0\r\n\r\n`, "\x0bchunked"),
  "gzip below chunked": chunked(`${size}\r\n${body}\r\n0\r\n\r\n`, "gzip, chunked"),
  "a length beyond 64 bits": announced(" 99999999999999999999"),
  "an empty length": announced(""),
  "a list of lengths": announced(" 21, 21"),
  "a length in two words": announced(" 2 1"),
  "a NUL in a field": headed("X-A: a\0b"),
  "a control character in a field": headed("X-A: a\x01b"),
  "a NUL in a field's name": headed("X\0A: b"),
  "a carriage return in a field": headed("X-A: a\rX-B: c"),
  "a field without a colon": headed("nonsense"),
  "a field without a name": headed(": x"),
  "HTTP/2 at once": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/0.9": "GET /v1/users/nobody\r\n\r\n",
  "HTTP/1.2": "GET /v1/users/nobody HTTP/1.2\r\nHost: localhost\r\nX-Api-Key: KEY\r\n\r\n",
  "a tunnel":
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nX-Api-Key: KEY\r\n\r\n",
  "a target without a slash":
    "GET v1/users/nobody HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: KEY\r\n\r\n",
  "bare line feeds": "GET /v1/users/nobody HTTP/1.1\nHost: localhost\nX-Api-Key: KEY\n\n",
  "a method of 5,000 letters": `${"A".repeat(5000)} / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  "the greeting of TLS": `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"\0".repeat(200)}`,
  "a PROXY line": `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${headed("X-A: a")}`,
};

/** @returns all that came back until the other side closed, or until a whole head did. */
function exchange(port: number, sent: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
}

async function start() {
  const folder = join(newFolder(), "data");
  const server = await startServer(folder, await freePort());
  const office = await openOffice(folder);
  const email = "ada@example.com";
  const { key } = await office.accounts.create({ email, plan: "pro" });
  return {
    port: Number(new URL(server.address).port),
    key,
    used: () => office.countCalls(email),
    ask: async () => {
      const headers = { "x-api-key": key };
      return (await fetch(`${server.address}/v1/users/nobody`, { headers })).status;
    },
    log: () => readFileSync(`${folder}.log`, "utf8"),
    close: () => office.close(),
  };
}

test("requests of broken form are refused, each with the connection, and cost nobody anything", async () => {
  const server = await start();
  for (const [what, shape] of Object.entries(shapes)) {
    const sent = shape
      .replaceAll("GET PATH", "GET /v1/users/nobody HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: KEY")
      .replaceAll("POST PATH", "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: KEY")
      .replaceAll("KEY", server.key);
    const received = await exchange(server.port, sent);
    expect([what, received.slice(0, 12)]).toEqual([
      what,
      expect.stringMatching(/^$|^HTTP\/1\.1 (400|405|413|501|505)$/),
    ]);
  }
  expect(await server.used()).toBe(0);
  expect(await server.ask()).toBe(404);
  expect(await server.used()).toBe(1);
  expect(server.log()).not.toContain('"level":"error"');
  server.close();
}, 300_000);

const toSearch =
  "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: KEY\r\nContent-Type: application/json\r\n";
/** The beginning of each request, and what follows it again and again. */
const slow = [
  ["GET /v1/users/nobody HTTP/1.1\r\nX-Slow: ", "a"],
  [`${toSearch}Content-Length: 1000\r\n\r\n{`, " "],
  [`${toSearch}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, "1\r\n \r\n"],
] as const;

test("a head or a body that comes a byte at a time without end is cut off, and counts nothing", async () => {
  const server = await start();
  const dripping = slow.map(([begin, drop]) => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(begin.replaceAll("KEY", server.key));
    });
    const drip = setInterval(() => socket.write(drop), 250);
    socket.on("data", () => undefined);
    socket.on("error", () => undefined);
    return new Promise<void>((resolve) => {
      socket.on("close", () => {
        clearInterval(drip);
        resolve();
      });
    });
  });
  expect(await server.ask()).toBe(404);
  await Promise.all(dripping);
  expect(await server.ask()).toBe(404);
  expect(await server.used()).toBe(2);
  server.close();
}, 300_000);

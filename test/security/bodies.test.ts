/** Bodies made to keep a server busy, sent to the real program: each is refused, and other calls are answered. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseForeignJson } from "../../src/contract/foreign-json.ts";
import { parseFacts } from "../../src/ingest/parse-facts.ts";
import { openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, startServer } from "../faults/server-process.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

const limit = 64 * 1024;
const fill = (piece: string) => piece.repeat(Math.floor((limit - 100) / piece.length));
const keys = Array.from({ length: 5000 }, (_, at) => `"k${at}":1`).join(",");
const bomb = (bytes: number) => Bun.gzipSync(Buffer.alloc(bytes, "a"), { level: 9 });
const asked = '{"location":"Berlin"}';

const bodies: readonly (readonly [
  what: string,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  encoding?: string,
])[] = [
  ["many keys", `{${keys}}`, 400],
  ["lists in lists", fill("["), 400],
  ["closed lists in lists", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 400],
  ["objects in objects", `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`, 400],
  ["lists in a field", `{"skills":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, 400],
  ["many skills", `{"skills":[${fill('"Go",')}"Go"]}`, 400],
  ["one long skill", `{"skills":["${fill("a")}"]}`, 400],
  ["one long key", `{"${fill("a")}":1}`, 400],
  ["many lines of nothing", fill("\n"), 400],
  ["a long number", `{"maxResults":${fill("9")}}`, 400],
  ["a number beyond all", '{"maxResults":1e999999}', 400],
  ["a prototype", '{"__proto__":{"maxResults":1}}', 400],
  ["a constructor", '{"constructor":{"prototype":{"maxResults":1}}}', 400],
  ["half a letter", '{"location":"\\ud800"}', 400],
  ["one byte too many", `{"location":"${"a".repeat(limit)}"}`, 413],
  ["a body that says that it is packed", Bun.gzipSync(Buffer.from(asked)), 415, "gzip"],
  ["a bomb of 10 MB", bomb(10 * 2 ** 20), 415, "gzip"],
  ["a bomb of 64 MB", bomb(64 * 2 ** 20), 415, "gzip"],
  ["a packed bomb", Bun.gzipSync(bomb(64 * 2 ** 20)), 415, "gzip, gzip"],
  ["a bomb of zstd", new Uint8Array(Bun.zstdCompressSync(Buffer.alloc(2 ** 26, "a"))), 415, "zstd"],
];

test("each is refused, none is unpacked, and a good call is answered beside them", async () => {
  const folder = join(newFolder(), "data");
  const server = await startServer(folder, await freePort());
  const office = await openOffice(folder);
  const { key } = await office.accounts.create({ email: "ada@example.com", plan: "enterprise" });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const ask = async (body: string | Uint8Array<ArrayBuffer>, encoding?: string) => {
    const response = await fetch(`${server.address}/v1/search`, {
      method: "POST",
      body,
      headers: { ...headers, ...(encoding && { "content-encoding": encoding }) },
    });
    return { status: response.status, text: await response.text() };
  };
  for (const [what, body, expected, encoding] of bodies) {
    const { status, text } = await ask(body, encoding);
    expect({ what, status }).toEqual({ what, status: expected });
    expect(text.length).toBeLessThan(2000);
    expect(JSON.parse(text)).toMatchObject({ success: false });
    expect((await ask(asked)).status).toBe(200);
  }
  // Only the good calls were counted.
  expect(await office.countCalls("ada@example.com")).toBe(bodies.length);
  office.close();
}, 300_000);

describe("JSON that others wrote", () => {
  const deep = (bytes: number) => "[".repeat(bytes);

  test("is not parsed where it is longer than modest and nested without end", () => {
    const before = process.memoryUsage().rss;
    expect(() => parseForeignJson(deep(30_000_000))).toThrow("is nested deeper than 100 levels");
    expect(() => parseForeignJson(`[${"[],".repeat(5_000_000)}0]`)).toThrow("more than 1000000");
    // Parsing the first text takes 2.5 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });

  test("is what it says, brackets in texts included", () => {
    const text = JSON.stringify({ text: `${deep(70_000)}\\" "${deep(70_000)}`, list: [[1], {}] });
    expect(parseForeignJson(text)).toEqual(JSON.parse(text));
    expect(() => parseForeignJson(`${text.slice(0, -1)}`)).toThrow(SyntaxError);
  });

  test("is said to be too deep as a line of facts", () => {
    const line = `{"login":${deep(100_000)}`;
    expect(parseFacts(line)).toEqual({ complaint: { reason: "is nested deeper than 100 levels" } });
  });
});

import { describe, expect, test } from "bun:test";
import { compressAnswer, createFileAnswer } from "../../src/network/compression.ts";
import { createLateBody, measurePieces } from "../../src/network/late-body.ts";

const ask = (headers: Record<string, string> = {}) =>
  new Request("http://roster.example/", { headers });
const text = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ login: `ada-${at}` })));
const encode = (accepted: string, own = text) => {
  const { body, headers } = compressAnswer(ask({ "accept-encoding": accepted }), [
    Buffer.from(own),
  ]);
  const length = String(measurePieces(body));
  return new Response(createLateBody(body), { headers: { ...headers, "content-length": length } });
};

async function decode(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  switch (response.headers.get("content-encoding")) {
    case "zstd":
      return Bun.zstdDecompressSync(bytes).toString();
    case "gzip":
      return new TextDecoder().decode(Bun.gunzipSync(bytes));
    case "br":
      return (await import("node:zlib")).brotliDecompressSync(bytes).toString();
    default:
      return new TextDecoder().decode(bytes);
  }
}

describe("an answer", () => {
  test.each([
    ["", null],
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["br", null],
    ["zstd;q=0, gzip;q=0.5", "gzip"],
    ["*", "zstd"],
    ["gzip;q=0, *;q=0", null],
    ["nonsense;;;q=x", null],
  ])("for Accept-Encoding %p is sent as %p, and reads the same", async (accepted, coding) => {
    const response = encode(accepted);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toBe("accept-encoding");
    const length = Number(response.headers.get("content-length"));
    expect(length).toBe((await response.clone().bytes()).byteLength);
    if (coding) expect(length).toBeLessThan(text.length / 4);
    expect(await decode(response)).toBe(text);
  });

  test("that is small goes as it is", () => {
    const response = encode("gzip", "{}");
    expect(response.headers.has("content-encoding")).toBe(false);
  });
});

describe("a file", () => {
  const send = createFileAnswer(() => text, { "content-type": "text/plain" });

  test.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["", null],
  ])("for Accept-Encoding %p is sent as %p, and reads the same", async (accepted, coding) => {
    for (let time = 0; time < 2; time++) {
      const response = await send(ask({ "accept-encoding": accepted }));
      expect(response.headers.get("content-encoding")).toBe(coding);
      expect(response.headers.get("content-type")).toBe("text/plain");
      expect(await decode(response)).toBe(text);
    }
  });

  test.each(["br", "zstd", "gzip"])(
    "is compressed as %s beside other work, and once",
    async (coding) => {
      const long = Array.from({ length: 20_000 }, (_, n) => Bun.hash(`${n}`)).join(" ");
      const sendLong = createFileAnswer(() => long, {});
      const open = async () => (await sendLong(ask({ "accept-encoding": coding }))).bytes();
      const order: string[] = [];
      const other = new Promise<void>((resolve) => setImmediate(resolve));
      const forms = Promise.all([open(), open()]);
      await Promise.all([
        other.then(() => order.push("other work")),
        forms.then(() => order.push("compressed")),
      ]);
      expect(order).toEqual(["other work", "compressed"]);
      const [first, second] = await forms;
      expect(first?.byteLength).toBeLessThan(0.6 * long.length);
      expect(second).toEqual(first as Uint8Array);
    },
  );

  test("is not sent again to who has it", async () => {
    const tag = (await send(ask())).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"\w+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await send(ask({ "if-none-match": known }));
      expect([response.status, await response.text()]).toEqual([304, ""]);
    }
    expect((await send(ask({ "if-none-match": '"other"' }))).status).toBe(200);
  });
});

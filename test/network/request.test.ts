/** Large bodies that are sent slowly take no more memory than there is for them. */
import { describe, expect, test } from "bun:test";
import { Problem } from "../../src/contract/problem.ts";
import { readBody } from "../../src/network/request.ts";

const mebibyte = 1024 * 1024;
const bytesMax = 9 * mebibyte;

/** A body that waits for its last byte. */
function sendSlowly(bytes: number) {
  let end = () => {};
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(10));
      end = () => controller.close();
    },
  });
  const headers = { "content-length": String(bytes) };
  const request = new Request("http://localhost/", { method: "POST", body, headers });
  return { request, end };
}

const statusOf = (body: Promise<unknown>) =>
  body.then(
    () => 200,
    (thrown: unknown) => (thrown as Problem).status,
  );

describe("large bodies that have not ended", () => {
  test("are two of one account, and sixty-four mebibytes in all; small ones are read beside them", async () => {
    const begin = (sender: string, bytes = bytesMax) => {
      const sent = sendSlowly(bytes);
      return { ...sent, read: readBody(sent.request, bytesMax, sender) };
    };
    const own = [begin("ada"), begin("ada")];
    expect(await statusOf(begin("ada").read)).toBe(503);
    const others = ["ben", "eva", "kim", "lea", "max"].map((sender) => begin(sender));
    const refused = await begin("mia").read.catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(Problem);
    expect((refused as Problem).retryAfterSeconds).toBeGreaterThan(0);
    const small = begin("ada", 1000);
    small.end();
    expect(await statusOf(small.read)).toBe(200);
    for (const { end } of [...own, ...others]) end();
    await Promise.all([...own, ...others].map(({ read }) => read));
    const after = begin("ada");
    after.end();
    expect(await statusOf(after.read)).toBe(200);
  });

  test("of another kind do not displace them", async () => {
    const sent = Array.from({ length: 7 }, (_, at) => ({ at, ...sendSlowly(bytesMax) }));
    const read = sent.map(({ at, request }) => readBody(request, bytesMax, `sender-${at}`));
    const form = sendSlowly(mebibyte);
    form.end();
    expect(await statusOf(readBody(form.request, mebibyte))).toBe(200);
    for (const { end } of sent) end();
    await Promise.all(read);
  });
});

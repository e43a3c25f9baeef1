import { expect, test } from "bun:test";
import { createLateBody } from "../../src/network/late-body.ts";

test("a long answer that is ready in a later turn arrives whole, and its connection goes on", async () => {
  const lengths = [14_999, 15_000, 24_000, 200_000];
  const bodies = lengths.map((length) => Uint8Array.from({ length }, (_, at) => at % 251));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async ({ url }) => {
      await new Promise((later) => setImmediate(later));
      const bytes = bodies[Number(new URL(url).pathname.slice(1))] as Uint8Array<ArrayBuffer>;
      return new Response(createLateBody(bytes), { headers: { "x-own": "1" } });
    },
  });
  for (const [at, body] of [...bodies, ...bodies].entries()) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/${at % bodies.length}`);
    expect(answer.headers.get("x-own")).toBe("1");
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  }
  await server.stop(true);
});

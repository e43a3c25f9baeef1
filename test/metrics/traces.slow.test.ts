/** Spans of a real server, as a collector on this machine gets them. */
import { expect, test } from "bun:test";
import { openTestAppliance } from "../appliance.ts";

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

test("each request is a span of its caller's trace, without what was asked; a collector that is gone is said once", async () => {
  const spans: Span[] = [];
  const collector = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      expect(new URL(request.url).pathname).toBe("/v1/traces");
      const sent = JSON.parse(await request.text());
      spans.push(...sent.resourceSpans[0].scopeSpans[0].spans);
      return Response.json({});
    },
  });
  const endpoint = collector.url.origin;
  const roster = await openTestAppliance({ config: { traces: { endpoint } } });
  const { key } = await roster.newAccount("pro");
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await roster.client.ask({ path: "/v1/users/ada-example?x=secret", key, headers });
  await roster.client.ask({ path: "/v1/users/ada-example", key, headers });
  await roster.close();
  await collector.stop(true);
  const ours = spans.filter((span) => span.traceId === traceId);
  expect(ours.map(({ name }) => name)).toEqual(Array(2).fill("GET /v1/users/:login"));
  expect(ours.map(({ parentSpanId }) => parentSpanId)).toEqual(Array(2).fill("b7ad6b7169203331"));
  expect(ours[1]?.attributes).toContainEqual({
    key: "roster.operation",
    value: { stringValue: "get_developer" },
  });
  for (const secret of [key, "secret", "ada-example"]) {
    expect(JSON.stringify(spans)).not.toContain(secret);
  }

  const alone = await openTestAppliance({ config: { traces: { endpoint } } });
  await alone.handle(new Request("http://localhost/livez"));
  await alone.close();
  expect(alone.log().split("the collector accepts no traces").length).toBe(2);
}, 300_000);

test("a collector whose answer never ends slows no call, is said once, and keeps no server from stopping", async () => {
  const dripping = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(100);
      controller.enqueue(" ");
    },
  });
  const fetch = () => new Response(dripping.tee()[0]);
  const collector = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const endpoint = collector.url.origin;
  const roster = await openTestAppliance({ config: { traces: { endpoint } } });
  await roster.handle(new Request("http://localhost/livez"));
  await roster.close();
  await collector.stop(true);
  expect(roster.log().split("the collector accepts no traces").length).toBe(2);
  expect(roster.log()).toContain('"lost":2,"of":2');
}, 300_000);

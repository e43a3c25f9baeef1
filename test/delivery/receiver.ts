/** A target of webhooks on this machine, which checks signatures by its own reading of Standard Webhooks. */
import { createHmac } from "node:crypto";

export interface Received {
  readonly id: string;
  readonly body: string;
  readonly isRight: boolean;
}

/** @param answer the status of the answer, or no answer at all. */
export function openReceiver(
  findSecret: () => string,
  answer: (received: Received, count: number) => number | Promise<number>,
  keep = true,
) {
  const received: Received[] = [];
  let count = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    error: () => new Response("", { status: 500 }),
    fetch: async (request) => {
      const body = await request.text();
      const [id, seconds, given] = ["id", "timestamp", "signature"].map(
        (name) => request.headers.get(`webhook-${name}`) ?? "",
      );
      const key = Buffer.from(findSecret().replace("whsec_", ""), "base64");
      const right = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
      const isFresh = Math.abs(Date.now() / 1000 - Number(seconds)) < 300;
      const one = { id: id ?? "", body, isRight: isFresh && given === `v1,${right}` };
      if (keep) received.push(one);
      const status = await answer(one, ++count);
      const headers = { location: "/elsewhere" };
      return new Response("thank you", { status, ...(status === 302 && { headers }) });
    },
  });
  return {
    received,
    url: `http://127.0.0.1:${server.port}/hook`,
    count: () => count,
    close: () => server.stop(true),
  };
}

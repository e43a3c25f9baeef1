/** The routes of push hooks behind the real router, with the secrets and the readings of a test. */
import pino from "pino";
import { createHookRoutes } from "../../src/hooks/hooks.ts";
import { createApp, mountRoute } from "../../src/interfaces/http/app.ts";
import { TestClock } from "../appliance.ts";
import { testNow } from "../invented-people.ts";
import type { SentDelivery } from "./deliveries.ts";

export interface HookAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @param secrets by the id of a source. @param known the repositories that these sources have. */
export function openHookDesk(
  secrets: Readonly<Record<string, string>>,
  known: readonly string[] = ["acme/tool"],
) {
  const clock = new TestClock(testNow);
  const lines: string[] = [];
  const options = {
    newId: () => crypto.randomUUID(),
    log: pino({ level: "debug" }, { write: (line: string) => lines.push(line) }),
    publicUrl: () => "http://127.0.0.1:7171",
  };
  /** Each reading that was asked for. */
  const asked: string[] = [];
  const [route] = createHookRoutes({
    now: clock.now,
    findSecret: async (id) => (Object.hasOwn(secrets, id) ? secrets[id] : undefined),
    push: async (id, repository) => {
      if (repository !== undefined && !known.includes(repository)) return "unknown repository";
      asked.push(`${id} ${repository ?? "all"}`);
      return "accepted";
    },
  });
  if (!route) throw new Error("there is no route");
  const app = createApp(options);
  const addressOf = (request: Request) => request.headers.get("test-address") ?? "192.0.2.1";
  mountRoute(app, route, { ...options, addressOf });
  const send = async (
    id: string,
    {
      headers,
      body,
    }: {
      headers: SentDelivery["headers"];
      body: string | Uint8Array<ArrayBuffer> | ReadableStream;
    },
    address = "192.0.2.1",
  ): Promise<HookAnswer> => {
    const response = await app.fetch(
      new Request(`http://127.0.0.1:7171/hooks/${id}`, {
        method: "POST",
        headers: { ...headers, "test-address": address },
        body,
      }),
    );
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { clock, asked, send, log: () => lines.join(""), fetch: app.fetch };
}

/** A forge on loopback that answers as a test says, and a clock that a test does not wait for. */
import type { ForgeClientOptions } from "../../../src/ingest/forges/adapters/client.ts";
import { createForgeClient } from "../../../src/ingest/forges/adapters/client.ts";

/** A request's own headers are gone once it is answered. */
interface Question {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

export interface Double extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  /** What it was asked, in order. */
  readonly asked: readonly Question[];
}

export function serveDouble(
  answer: (request: Request, times: number) => Response | Promise<Response>,
  tls?: { readonly key: string; readonly cert: string },
): Double {
  const asked: Question[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // A test may hold an answer back.
    idleTimeout: 0,
    ...(tls && { tls }),
    fetch: (request) => {
      asked.push({
        url: request.url,
        method: request.method,
        headers: new Headers(request.headers),
      });
      return answer(request, asked.length);
    },
  });
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Sleeping moves it on at once. */
export function createTestClock(start = Date.parse("2026-11-22T12:00:00Z")) {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

export function createTestClient(api: string, options: Partial<ForgeClientOptions> = {}) {
  const clock = createTestClock();
  const client = createForgeClient({
    ...{ source: "corp", api, token: "secret-token", waitMax: 900_000, clock },
    ...options,
  });
  return { client, clock };
}

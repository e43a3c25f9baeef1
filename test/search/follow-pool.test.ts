import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { createRefresh, followPool } from "../../src/search/follow-pool.ts";

const polls: { look: () => void; ms: number }[] = [];
let timer: { mockRestore(): void };
beforeEach(() => {
  timer = spyOn(globalThis, "setTimeout").mockImplementation(((look: () => void, ms: number) => {
    polls.push({ look, ms });
    return { unref: () => undefined };
  }) as never);
});
afterEach(() => timer.mockRestore());

test("a build that takes long, and fails, is one failure, and doubles the pause", async () => {
  const builds: PromiseWithResolvers<void>[] = [];
  const refresh = createRefresh(() => {
    const build = Promise.withResolvers<void>();
    builds.push(build);
    return build.promise;
  });
  const settle = () => new Promise(setImmediate);
  const error = jest.fn();
  const stop = new AbortController();
  followPool({ log: { error } as never }, refresh, stop.signal);
  for (const pause of [1000, 2000, 4000]) {
    expect(polls.map(({ ms }) => ms)).toEqual([pause]);
    polls.pop()?.look();
    await settle();
    // No poll begins during a build.
    expect(polls).toEqual([]);
    builds.at(-1)?.reject(new Error("away"));
    await settle();
  }
  expect([builds.length, error.mock.calls.length]).toEqual([3, 3]);
  polls.pop()?.look();
  await settle();
  builds.at(-1)?.resolve();
  await settle();
  expect(polls.map(({ ms }) => ms)).toEqual([1000]);
  stop.abort();
});

test("a call during a build waits, and starts another after it, also if it fails", async () => {
  const builds: PromiseWithResolvers<void>[] = [];
  const refresh = createRefresh(() => {
    const build = Promise.withResolvers<void>();
    builds.push(build);
    return build.promise;
  });
  const [first, second] = [refresh(), refresh()];
  await new Promise(setImmediate);
  expect(builds).toHaveLength(1);
  builds[0]?.reject(new Error("away"));
  expect(first).rejects.toThrow("away");
  await new Promise(setImmediate);
  expect(builds).toHaveLength(2);
  builds[1]?.resolve();
  await second;
});

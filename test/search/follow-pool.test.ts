import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { createRefresh, followPool } from "../../src/search/follow-pool.ts";

let poll: () => void;
let timer: { mockRestore(): void };
beforeEach(() => {
  timer = spyOn(globalThis, "setInterval").mockImplementation(((look: () => void) => {
    poll = look;
    return { unref: () => {} };
  }) as never);
});
afterEach(() => timer.mockRestore());

test("a build that takes many polls, and fails, is one failure", async () => {
  const builds: PromiseWithResolvers<void>[] = [];
  const refresh = createRefresh(() => {
    const build = Promise.withResolvers<void>();
    builds.push(build);
    return build.promise;
  });
  const error = jest.fn();
  followPool({ log: { error } as never }, refresh, new AbortController().signal);
  for (let polls = 0; polls < 100; polls++) poll();
  expect(builds).toHaveLength(1);
  builds[0]?.reject(new Error("away"));
  await new Promise(setImmediate);
  expect(error).toHaveBeenCalledTimes(1);
  // After the first failure two polls are left out.
  for (const begun of [1, 1, 2]) {
    poll();
    expect(builds).toHaveLength(begun);
  }
});

test("whoever asks during a build gets another one", async () => {
  let begun = 0;
  const first = Promise.withResolvers<void>();
  const refresh = createRefresh(() => (++begun === 1 ? first.promise : Promise.resolve()));
  const asked = [refresh(), refresh(), refresh()];
  expect(begun).toBe(1);
  first.resolve();
  await Promise.all(asked);
  expect(begun).toBeGreaterThan(1);
});

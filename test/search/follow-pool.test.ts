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

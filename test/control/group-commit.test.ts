import { expect, test } from "bun:test";
import { createGroupCommit } from "../../src/control/group-commit.ts";

/** Time stands still unless a test moves it: on a busy machine a turn may take longer than the bound. */
function recorded(options: Parameters<typeof createGroupCommit>[1] = {}) {
  const batches: number[][] = [];
  const commits = createGroupCommit(
    async (calls: readonly number[]) => {
      batches.push([...calls]);
      return calls.map((call) => call * 10);
    },
    { elapsedMs: () => 0, ...options },
  );
  return { batches, commits };
}

test("calls of one turn share one commit and each gets its own outcome", async () => {
  const { batches, commits } = recorded();
  const outcomes = await Promise.all([1, 2, 3].map((call) => commits.add(call)));
  expect(outcomes).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("a call of a later turn goes with a later commit", async () => {
  const { batches, commits } = recorded();
  await commits.add(1);
  await commits.add(2);
  expect(batches).toEqual([[1], [2]]);
});

test("calls of the next turn go along with a turn that brought several", async () => {
  const { batches, commits } = recorded();
  const first = [1, 2].map((call) => commits.add(call));
  const next = new Promise((turn) => setImmediate(turn)).then(() => commits.add(3));
  expect(await Promise.all([...first, next])).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("a full batch is committed before the turn ends, and no batch is larger", async () => {
  const { batches, commits } = recorded({ callsMax: 4 });
  const calls = Array.from({ length: 10 }, (_, index) => index);
  expect(await Promise.all(calls.map((call) => commits.add(call)))).toEqual(
    calls.map((call) => call * 10),
  );
  expect(batches.flat()).toEqual(calls);
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
});

test("a turn that does not end keeps nobody waiting longer than the bound", () => {
  let elapsed = 0;
  const { batches, commits } = recorded({ waitMsMax: 2, elapsedMs: () => elapsed });
  void commits.add(1);
  elapsed = 1.9;
  void commits.add(2);
  expect(batches).toEqual([]);
  elapsed = 2;
  void commits.add(3);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("a batch that fails rejects its own calls and nobody else's", async () => {
  let isBroken = true;
  const commits = createGroupCommit(async (calls: readonly number[]) => {
    if (isBroken) throw new Error("disk full");
    return calls;
  });
  const failed = await Promise.allSettled([commits.add(1), commits.add(2)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect(await commits.add(3)).toBe(3);
});

test("a commit that loses an outcome fails the batch instead of mixing callers up", () => {
  const commits = createGroupCommit(async (calls: readonly number[]) => calls.slice(1));
  return expect(Promise.all([commits.add(1), commits.add(2)])).rejects.toThrow(
    "a batch of 2 calls came back with 1 outcomes",
  );
});

test("a slow engine gets one batch at a time; what comes meanwhile goes together", async () => {
  const batches: number[][] = [];
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let underWay = 0;
  const commits = createGroupCommit(async (calls: readonly number[]) => {
    underWay += 1;
    expect(underWay).toBe(1);
    batches.push([...calls]);
    begun.resolve();
    await ended.promise;
    underWay -= 1;
    return calls;
  });
  const first = commits.add(1);
  await begun.promise;
  const later = [commits.add(2), commits.add(3)];
  // So long that they would have had their turn.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  ended.resolve();
  await Promise.all([first, ...later]);
  expect(batches).toEqual([[1], [2, 3]]);
});

// A call once hung until the next one came: it had come between the last look at who waits and the note
// that nothing is under way, on a machine so busy that it asked for its commit at once.
test.each([0, 1, 2, 3, 4, 5])(
  "a call that comes %i steps after an answer is not forgotten",
  async (steps) => {
    let elapsed = 0;
    const { commits } = recorded({ elapsedMs: () => (elapsed += 5) });
    let answered: Promise<unknown> = commits.add(1);
    for (let step = 0; step < steps; step++) answered = answered.then(() => undefined);
    expect(await answered.then(() => commits.add(2))).toBe(20);
  },
);

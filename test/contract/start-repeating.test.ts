import { expect, test } from "bun:test";
import { startRepeating } from "../../src/contract/start-repeating.ts";

test("turns follow each other, may be hurried, and end with the turn that is under way", async () => {
  const turns: string[] = [];
  const firstTurn = Promise.withResolvers<void>();
  const repeated = startRepeating(async (stop) => {
    turns.push("begin");
    if (turns.length === 1) firstTurn.resolve();
    await Bun.sleep(20);
    turns.push(stop.aborted ? "stopped" : "end");
    return turns.length === 2 ? 1 : 3_600_000;
  }, 1);
  await firstTurn.promise;
  await Bun.sleep(200);
  expect(turns).toEqual(["begin", "end", "begin", "end"]);
  repeated.hurry();
  await Bun.sleep(5);
  await repeated.close();
  repeated.hurry();
  await Bun.sleep(50);
  expect(turns).toEqual(["begin", "end", "begin", "end", "begin", "stopped"]);
});

test("a turn that is hurried during another one waits for its end", async () => {
  let [open, most, turns] = [0, 0, 0];
  const begun = Promise.withResolvers<void>();
  const repeated = startRepeating(async () => {
    most = Math.max(most, ++open);
    turns++;
    begun.resolve();
    await Bun.sleep(20);
    open--;
    return 3_600_000;
  }, 0);
  await begun.promise;
  repeated.hurry();
  repeated.hurry();
  while (turns < 2) await Bun.sleep(5);
  await Bun.sleep(60);
  await repeated.close();
  expect([most, turns, open]).toEqual([1, 2, 0]);
});

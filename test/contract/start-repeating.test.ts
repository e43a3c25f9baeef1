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

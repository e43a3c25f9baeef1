/** Ten thousand events, and a target and a server that fail at drawn moments. A gate sends fewer. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createWebhooks, startSender } from "../../src/delivery/delivery.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { openReceiver } from "./receiver.ts";

const newFolder = temporaryFolders();
const now = () => new Date();
const warnings: string[] = [];
const log = { warn: (_: object, text: string) => void warnings.push(text) };
const waitsMs = Array.from({ length: 20 }, (_, at) => at * 5);
const eventsMax = isLong ? 10_000 : 2000;

/** Numbers from 0 to 1 that a seed decides. */
function createDraws(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const measureMemory = () => {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
};

test.each(isLong ? [1, 2, 3] : [1])(
  "each event comes at least once, whatever fails (seed %d)",
  async (seed) => {
    const draw = createDraws(seed);
    const control = openSqliteControlStore(join(newFolder(), "control.db"));
    const webhooks = createWebhooks(control, now);
    let secret = "";
    const taken = new Map<number, number>();
    let [wrong, failed] = [0, 0];
    const target = openReceiver(
      () => secret,
      async ({ body, isRight }) => {
        if (!isRight) wrong++;
        const { n } = JSON.parse(body).data;
        const luck = draw();
        if (luck < 0.1) await Bun.sleep(luck * 50);
        if (luck < 0.2) failed++;
        // Some answers are lost after the target has taken the delivery.
        if (luck < 0.05) throw new Error("The target breaks off.");
        if (luck < 0.2) return luck < 0.12 ? 503 : 302;
        taken.set(n, (taken.get(n) ?? 0) + 1);
        if (luck < 0.22) throw new Error("The answer is lost.");
        return 200;
      },
      false,
    );
    ({ secret } = await webhooks.add(
      { url: target.url, events: ["run.ended"], isLocal: true },
      "ada",
    ));
    const start = () => startSender({ control, now, log, waitsMs });
    let sender = start();
    let early = 0;
    for (let n = 0; n < eventsMax; n += 100) {
      const some = Array.from({ length: 100 }, (_, at) => n + at);
      await control.deliveries.addEvents(
        some.map((n) => ({ type: "run.ended", at: now(), data: { n } })),
      );
      if (draw() < 0.1) {
        await sender.close();
        sender = start();
      }
      if (n === eventsMax / 4) early = measureMemory();
      await Bun.sleep(5);
    }
    const end = performance.now() + 300_000;
    while (taken.size < eventsMax && performance.now() < end) await Bun.sleep(50);
    await sender.close();
    const late = measureMemory();
    const attempts = target.count();
    target.close();
    await control.close();
    expect(taken.size).toBe(eventsMax);
    expect(wrong).toBe(0);
    expect(failed).toBeGreaterThan(eventsMax / 10);
    expect(attempts).toBeGreaterThan(eventsMax + failed / 2);
    // What the test itself keeps of each event is less than that.
    expect(late - early).toBeLessThan(20 * 2 ** 20);
    expect(warnings).toEqual([]);
  },
  400_000,
);

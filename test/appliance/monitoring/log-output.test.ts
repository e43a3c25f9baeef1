import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { createLineBatch } from "../../../src/appliance/monitoring/log-output.ts";
import { makeFolder } from "../../temporary-folder.ts";

const root = join(import.meta.dir, "../../..");
const folder = makeFolder("log-output");

function recorded() {
  const writes: string[] = [];
  const output = createLineBatch((lines) => {
    writes.push(lines.toString());
    return lines.length;
  });
  const log = pino({ base: null, timestamp: false }, output);
  const messages = () =>
    writes.map((lines) => [...lines.matchAll(/"msg":"(\w+)"/g)].map(([, word]) => word));
  return { log, output, messages };
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

test("the lines of one turn are written together, at its end", async () => {
  const { log, messages } = recorded();
  log.info("one");
  await Promise.resolve();
  log.info("two");
  expect(messages()).toEqual([]);
  await endOfTurn();
  expect(messages()).toEqual([["one", "two"]]);
  log.info("three");
  await endOfTurn();
  await endOfTurn();
  expect(messages()).toEqual([["one", "two"], ["three"]]);
});

test("a warning is written at once, after what waited", async () => {
  const { log, messages } = recorded();
  log.info("call");
  log.warn("warned");
  log.error("failed");
  expect(messages()).toEqual([["call", "warned"], ["failed"]]);
  log.info("call");
  expect(messages()).toHaveLength(2);
  await endOfTurn();
  expect(messages()).toHaveLength(3);
});

test("a turn with very many lines does not keep them all", () => {
  const { log, messages } = recorded();
  for (let line = 0; line < 5000; line += 1) log.info("call");
  expect(messages().flat().length).toBeGreaterThan(0);
});

test("what a full disk or a slow reader did not take is written later, in order and once", async () => {
  const taken: string[] = [];
  const answers = [4, "EAGAIN", "ENOSPC", 3] as const;
  let asked = 0;
  let failures = 0;
  const output = createLineBatch(
    (lines) => {
      const answer = answers[asked] ?? lines.length;
      asked += 1;
      if (typeof answer === "string") throw Object.assign(new Error(answer), { code: answer });
      taken.push(lines.subarray(0, answer).toString());
      return answer;
    },
    () => {
      failures += 1;
    },
  );
  output.write("first\n");
  expect(output.flush()).toBe(false);
  output.write("second\n");
  while (asked < 5) await Bun.sleep(10);
  expect(taken.join("")).toBe("first\nsecond\n");
  expect(failures).toBe(1);
});

test("what is never taken is bounded", () => {
  let kept = 0;
  const output = createLineBatch((lines) => {
    kept = lines.length;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  const line = `${"x".repeat(1000)}\n`;
  for (let count = 0; count < 5000; count += 1) {
    output.write(line);
    output.flush();
  }
  expect(kept).toBeGreaterThan(1_000_000);
  expect(kept).toBeLessThanOrEqual(2 ** 20);
});

test.each([
  ["exit", "process.exit(0)", 0],
  ["error", "throw new Error('oops')", 1],
  ["rejection", "Promise.reject(new Error('oops'))", 1],
])("what waits is written when the process ends by an %s", async (name, ends, code) => {
  const file = join(folder, `${name}.log`);
  const script = join(folder, `${name}.ts`);
  const source = join(root, "src/appliance/monitoring/log-output.ts");
  writeFileSync(
    script,
    `import { openLogOutput } from ${JSON.stringify(source)};
     const output = openLogOutput(${JSON.stringify(file)});
     output.write("waiting\\n");
     ${ends};`,
  );
  const child = Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "ignore" });
  expect(await child.exited).toBe(code);
  expect(readFileSync(file, "utf8")).toBe("waiting\n");
});

import { expect, test } from "bun:test";
import { createLineOutput } from "../../../src/appliance/monitoring/log-output.ts";

test("what a full disk or a slow reader did not take is written later, in order and once", async () => {
  const taken: string[] = [];
  const answers = [4, "EAGAIN", "ENOSPC", 3] as const;
  let asked = 0;
  let failures = 0;
  const output = createLineOutput(
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
  expect(taken).toEqual(["firs"]);
  output.write("second\n");
  while (asked < 5) await Bun.sleep(10);
  expect(taken.join("")).toBe("first\nsecond\n");
  expect(failures).toBe(1);
});

test("what is never taken is bounded", () => {
  let kept = 0;
  const output = createLineOutput((lines) => {
    kept = lines.length;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  const line = `${"x".repeat(1000)}\n`;
  for (let count = 0; count < 5000; count += 1) output.write(line);
  output.flush();
  expect(kept).toBeGreaterThan(1_000_000);
  expect(kept).toBeLessThanOrEqual(2 ** 20);
});

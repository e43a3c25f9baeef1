/** `scripts/explore` says how to repeat a failure, and nothing else draws new cases. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { drawSeeds, readSeed } from "../random.ts";
import { makeFolder } from "../temporary-folder.ts";

const root = join(import.meta.dir, "../..");

test("runs a seed once, and prints the line that repeats a failure", async () => {
  const folder = makeFolder("explored");
  const file = join(folder, "odd.test.ts");
  const own = JSON.stringify(join(root, "test/random.ts"));
  writeFileSync(
    file,
    `import { expect, test } from "bun:test";
     import { drawSeed } from ${own};
     test("the seed is even", () => expect(drawSeed("odd") % 2).toBe(0));`,
  );
  const explore = async (...words: string[]) => {
    const program = join(root, "scripts/exploring/explore.ts");
    const child = Bun.spawn(["bun", program, ...words], { stdout: "pipe", stderr: "pipe" });
    const said = await new Response(child.stdout).text();
    const complained = await new Response(child.stderr).text();
    return { said, complained, code: await child.exited };
  };
  const even = await explore("--seed", "42", folder);
  expect(even).toMatchObject({ code: 0, said: expect.stringContaining("1 runs, 0 failed") });
  const odd = await explore("--seed", "43", folder);
  expect(odd.code).toBe(1);
  expect(odd.said).toContain("(fail) the seed is even");
  expect(odd.said).toMatch(/^ {2}scripts\/explore --seed 43 \S+odd\.test\.ts$/m);
  expect(await explore("--seed", "1.5", folder)).toMatchObject({
    code: 2,
    complained: expect.stringContaining("must be a whole number of at most 31 bits"),
  });
  expect((await explore(join(folder, "nothing"))).complained).toContain("path: no test in");
});

test("the gate runs fixed seeds, and those that once failed", () => {
  expect(fc.readConfigureGlobal().seed).toBe(readSeed());
  for (const path of [".ci/run", "scripts/test", "scripts/prepare-tests"])
    expect(readFileSync(join(root, path), "utf8")).not.toMatch(/TEST_SEED|TEST_LONG/);
  const given = process.env["TEST_SEED"];
  try {
    delete process.env["TEST_SEED"];
    expect(drawSeeds("fixed", [7, 8])).toEqual([1, 7, 8]);
    process.env["TEST_SEED"] = "5";
    expect(drawSeeds("explored", [7, 8])).toEqual([5]);
  } finally {
    if (given === undefined) delete process.env["TEST_SEED"];
    else process.env["TEST_SEED"] = given;
  }
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { lineOf } from "../sample.ts";

const script = join(import.meta.dir, "piping-process.ts");
const lines = Array.from({ length: 4000 }, (_, n) =>
  lineOf(`p${String(n).padStart(5, "0")}`, { bio: "Å 🦉 ".repeat(60) }),
).join("");

test.each([
  ["plain", Buffer.from(lines)],
  ["gzip", gzipSync(lines)],
  ["zstd", Bun.zstdCompressSync(lines)],
])("%s goes in by standard input and comes out by standard output", async (_, stdin) => {
  const child = Bun.spawn([process.execPath, script], { stdin, stdout: "pipe", stderr: "inherit" });
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  expect(printed === lines).toBe(true);
});

test("a reader that leaves early ends the export without a hang", async () => {
  const child = Bun.spawn([process.execPath, script], {
    stdin: Buffer.from(lines),
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  await child.exited;
  expect(child.exitCode ?? 0).toBeLessThan(128);
}, 300_000);

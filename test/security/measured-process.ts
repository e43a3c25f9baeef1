/**
 * Runs the command in its arguments and writes the peak memory of any one of its processes, in bytes, to the file named first. A
 * child's peak includes its parent's memory at the start, so this parent is small.
 */
import { writeFileSync } from "node:fs";

const [, , file = "", ...command] = process.argv;
const child = Bun.spawn(command, { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
const code = await child.exited;
writeFileSync(file, String(child.resourceUsage()?.maxRSS));
process.exit(code);

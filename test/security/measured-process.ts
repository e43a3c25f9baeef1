/**
 * Runs the command in its arguments and writes the most memory that it, or any one process it started, held into
 * the file named first, in bytes. What the system tells of a child counts from before the child became its program,
 * with all that its parent held: so the parent must be small, as this process is and a whole run of tests is not.
 */
import { writeFileSync } from "node:fs";

const [, , file = "", ...command] = process.argv;
const child = Bun.spawn(command, { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
const code = await child.exited;
writeFileSync(file, String(child.resourceUsage()?.maxRSS));
process.exit(code);

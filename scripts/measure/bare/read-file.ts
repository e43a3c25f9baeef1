/** The least that a start on a stored index takes: reads the file once, and answers. Compiled and run by `scripts/bench boot`. */
import { readFileSync } from "node:fs";

const { length } = readFileSync(process.env["INDEX"] ?? "");
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  fetch: () => new Response(String(length)),
});

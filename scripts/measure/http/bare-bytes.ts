/**
 * The least that a server of this stack can do: sends ready answers in turn, and ignores the requests. Compiled and run
 * by `scripts/bench http`, with its port in PORT and the file of answers in ANSWERS.
 */
import { readFileSync } from "node:fs";
import type { Answered } from "./answers.ts";

const answers: readonly Answered[] = JSON.parse(readFileSync(process.env["ANSWERS"] ?? "", "utf8"));
const ready = answers.map(({ body, ...rest }) => [new TextEncoder().encode(body), rest] as const);
let turn = 0;
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  fetch: () => new Response(...(ready[turn++ % ready.length] as (typeof ready)[0])),
});

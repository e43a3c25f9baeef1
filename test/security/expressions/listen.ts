/** Loads the files of src/ that it is told, and writes as JSON which expressions these make meanwhile. */
import { join } from "node:path";
import { type Found, source } from "./of-source.ts";

const made: Found[] = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string, string?]) {
    const expression = new target(...args);
    // Of the line of calls the first that lies in src.
    const [file, ...place] = new Error().stack?.split(`${source}/`)[1]?.match(/[^:)\s]+/g) ?? [];
    const at = place.slice(0, 2).join(":");
    if (file) made.push({ file, at, source: expression.source, flags: expression.flags });
    return expression;
  },
});
for (const file of Bun.argv.slice(2)) await import(join(source, file));
process.stdout.write(JSON.stringify(made));

/** Loads the files of src/ that it is told, and writes as JSON which expressions these make meanwhile. */
import { join } from "node:path";
import { type Found, source } from "./of-source.ts";

const made: Found[] = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string, string?]) {
    const expression = new target(...args);
    // The first caller that is in src.
    const [file] = new Error().stack?.split(`${source}/`)[1]?.match(/[^:)\s]+/) ?? [];
    if (file) made.push({ file, source: expression.source, flags: expression.flags });
    return expression;
  },
});
for (const file of Bun.argv.slice(2)) await import(join(source, file));
process.stdout.write(JSON.stringify(made));

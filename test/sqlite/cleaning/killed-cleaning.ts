/** Overwrites what a file does not use, and is killed after so many parts: `killed-cleaning.ts FILE PARTS`. */
import { eraseUnused } from "../../../src/sqlite/cleaning/clean-file.ts";
import { openBytes } from "../../../src/sqlite/cleaning/file-bytes.ts";
import { kind } from "./marked-file.ts";

const [path = "", parts = ""] = process.argv.slice(2);
const file = openBytes(path);
let left = Number(parts);
eraseUnused(path, kind, {
  ...file,
  write(bytes, position) {
    if (left-- > 0) return file.write(bytes, position);
    // The last one is cut off as well.
    file.write(bytes.subarray(0, bytes.length >> 1), position);
    process.kill(process.pid, "SIGKILL");
  },
});

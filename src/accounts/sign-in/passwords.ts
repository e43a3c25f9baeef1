/**
 * Passwords: argon2id, no rules of composition, and none of those that everybody tries first (ASVS 6.2).
 * 19 MiB and two passes is OWASP's recommended setting for argon2id.
 */
import { readFileSync } from "node:fs";
import commonPasswords from "../../../seed/common-passwords.zst" with { type: "file" };

export const passwordLengthMin = 8;
/** Beyond any pass phrase; a bound, since each attempt costs work. In characters. */
export const passwordLengthMax = 256;

const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Why this cannot be a password, in a sentence for whoever chose it; `undefined` when it can. */
export function weaknessOf(password: string, { email }: { email: string }): string | undefined {
  const length = [...password].length;
  if (length < passwordLengthMin) {
    return `The password must have at least ${passwordLengthMin} characters.`;
  }
  if (length > passwordLengthMax) {
    return `The password must have at most ${passwordLengthMax} characters.`;
  }
  if (!password.isWellFormed()) return "The password holds a broken character.";
  const plain = password.toLowerCase();
  if (isCommon(plain)) {
    return "This is one of the most common passwords, which are tried first. Choose another one.";
  }
  if (plain === email.toLowerCase()) return "The password must not be the e-mail address.";
  return undefined;
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normal(password), argon2id);
}

/**
 * The work is the same without a hash: how long it takes does not tell whether an account exists or
 * has a password.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  // Not worth the work, and nobody has such a one.
  if (password === "" || password.length > 4 * passwordLengthMax) return false;
  nobodys ??= hashPassword("whatever, since it is never right");
  const isRight = await Bun.password.verify(normal(password), hash ?? (await nobodys));
  return isRight && hash !== undefined;
}

let nobodys: Promise<string> | undefined;

/** Keyboards differ in how they compose a letter; NIST 800-63B asks for one form. */
function normal(password: string): string {
  return password.normalize("NFC");
}

let common: ReadonlySet<string> | undefined;

function isCommon(plain: string): boolean {
  common ??= new Set(
    Bun.zstdDecompressSync(readFileSync(commonPasswords)).toString("utf8").trimEnd().split("\n"),
  );
  return common.has(plain);
}

/**
 * Checks and hashes passwords. All characters are allowed, and common passwords are refused (ASVS 6.2). OWASP recommends the
 * memory and passes of argon2id that Roster uses.
 */
import { readFileSync } from "node:fs";
import commonPasswords from "../../../seed/common-passwords.zst" with { type: "file" };

export const passwordLengthMin = 8;
export const passwordLengthMax = 256;

const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** @returns why the password is refused, as a sentence for the user. Undefined means that the password is accepted. */
export function findPasswordWeakness(
  password: string,
  { email }: { email: string },
): string | undefined {
  const length = [...password].length;
  if (length < passwordLengthMin) {
    return `The password must have at least ${passwordLengthMin} characters.`;
  }
  if (length > passwordLengthMax) {
    return `The password must have at most ${passwordLengthMax} characters.`;
  }
  if (!password.isWellFormed()) return "The password contains an invalid character.";
  const plain = password.toLowerCase();
  if (isCommon(plain)) {
    return "This is one of the most common passwords, which attackers try first. Choose another one.";
  }
  if (isRepetition(plain)) return "The password repeats itself. Choose one with more variety.";
  if ([...withoutNames(plain, email.toLowerCase())].length < passwordLengthMin) {
    return `Attackers try the name of this product and your e-mail address first: the password must have at least ${passwordLengthMin} characters besides them.`;
  }
  return undefined;
}

/** Whether the password has fewer than four different characters, or repeats a short text: `abcabcabc`. */
function isRepetition(plain: string): boolean {
  return new Set(plain).size < 4 || /^(.{1,7})\1+$/su.test(plain);
}

function withoutNames(plain: string, email: string): string {
  const [name = ""] = email.split("@");
  // One or two letters can occur in a password by chance, so a short name is not removed.
  const names = [email, ...(name.length > 2 ? [name] : []), "roster"];
  return names.reduce((rest, one) => rest.replaceAll(one, ""), plain);
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normalise(password), argon2id);
}

/** Checks a password. Without a hash, the check takes equally long, so that the time reveals nothing about the account. */
export async function isPasswordCorrect(
  password: string,
  hash: string | undefined,
): Promise<boolean> {
  // No password is empty or that long.
  if (password === "" || password.length > 4 * passwordLengthMax) return false;
  dummyHash ??= hashPassword("whatever, since it is never right");
  const isRight = await Bun.password.verify(normalise(password), hash ?? (await dummyHash));
  return isRight && hash !== undefined;
}

let dummyHash: Promise<string> | undefined;

/** Converts letters to one Unicode form, because keyboards write `é` as one or as two code points (NIST 800-63B). */
function normalise(password: string): string {
  return password.normalize("NFC");
}

let common: ReadonlySet<string> | undefined;

function isCommon(plain: string): boolean {
  common ??= new Set(
    Bun.zstdDecompressSync(readFileSync(commonPasswords)).toString("utf8").trimEnd().split("\n"),
  );
  return common.has(plain);
}

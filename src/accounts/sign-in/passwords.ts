/**
 * Checks and hashes passwords. Any characters are allowed, but common passwords are refused (ASVS 6.2). The memory and passes
 * of argon2id are those that OWASP recommends.
 */
import { readFileSync } from "node:fs";
import commonPasswords from "../../../seed/common-passwords.zst" with { type: "file" };

export const passwordLengthMin = 8;
/** In characters. The limit bounds the work of hashing. */
export const passwordLengthMax = 256;

const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** @returns why the password is refused, as a sentence for the user; undefined if it is accepted. */
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

/** Whether the password has fewer than four different characters, or only repeats a text of up to seven characters. */
function isRepetition(plain: string): boolean {
  return new Set(plain).size < 4 || /^(.{1,7})\1+$/su.test(plain);
}

function withoutNames(plain: string, email: string): string {
  const [name = ""] = email.split("@");
  // One or two letters can occur in a password by chance.
  const names = [email, ...(name.length > 2 ? [name] : []), "roster"];
  return names.reduce((rest, one) => rest.replaceAll(one, ""), plain);
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normalise(password), argon2id);
}

/** Takes equally long without a hash, so that the time does not reveal whether an account exists or has a password. */
export async function isPasswordCorrect(
  password: string,
  hash: string | undefined,
): Promise<boolean> {
  // No account has a password of this length, so nothing needs to be hashed.
  if (password === "" || password.length > 4 * passwordLengthMax) return false;
  dummyHash ??= hashPassword("whatever, since it is never right");
  const isRight = await Bun.password.verify(normalise(password), hash ?? (await dummyHash));
  return isRight && hash !== undefined;
}

let dummyHash: Promise<string> | undefined;

/** Converts letters to one Unicode form, because keyboards compose them differently (NIST 800-63B). */
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

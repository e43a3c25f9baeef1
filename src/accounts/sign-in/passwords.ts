/**
 * Passwords: argon2id, no rules of composition, and none of the common ones that attackers try first (ASVS 6.2).
 * 19 MiB and two passes is OWASP's recommended setting for argon2id.
 */
import { readFileSync } from "node:fs";
import commonPasswords from "../../../seed/common-passwords.zst" with { type: "file" };

export const passwordLengthMin = 8;
/** In characters. Longer than any pass phrase; limited, since each attempt costs work. */
export const passwordLengthMax = 256;

const argon2id = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Why this cannot be a password, in a sentence for the user; `undefined` when it can. */
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

/** Fewer than four different characters, or fewer than eight repeated throughout. */
function isRepetition(plain: string): boolean {
  return new Set(plain).size < 4 || /^(.{1,7})\1+$/su.test(plain);
}

function withoutNames(plain: string, email: string): string {
  const [name = ""] = email.split("@");
  // A name of one or two letters may occur by chance.
  const names = [email, ...(name.length > 2 ? [name] : []), "roster"];
  return names.reduce((rest, one) => rest.replaceAll(one, ""), plain);
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normalise(password), argon2id);
}

/** Does the same work without a hash, so that its duration does not reveal whether an account exists or has a password. */
export async function isPasswordCorrect(
  password: string,
  hash: string | undefined,
): Promise<boolean> {
  // Not worth the work: no account has such a password.
  if (password === "" || password.length > 4 * passwordLengthMax) return false;
  dummyHash ??= hashPassword("whatever, since it is never right");
  const isRight = await Bun.password.verify(normalise(password), hash ?? (await dummyHash));
  return isRight && hash !== undefined;
}

let dummyHash: Promise<string> | undefined;

/** Keyboards differ in how they compose a letter; NIST 800-63B asks for one form. */
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

/** Encrypts and decrypts streams in the format of age (age-encryption.org/v1). */
import type { Decrypter } from "age-encryption";
import { Fault } from "../contract/fault.ts";
import { readTextFile } from "../contract/text-file.ts";

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

const firstBytes = "age-encryption.org/v1\n";

/** Loaded on first use, because most backups are not encrypted. */
const loadAge = () => import("age-encryption");

/** @package @returns the encrypted stream, and a decrypter of this stream only, so that the writer can read it back. */
export async function encryptStream(plain: ReadableStream, recipients: readonly string[]) {
  const { Encrypter, Decrypter } = await loadAge();
  const [encrypter, decrypter] = [new Encrypter(), new Decrypter()];
  encrypter.addRecipient({
    wrapFileKey(key) {
      decrypter.addIdentity({ unwrapFileKey: () => key });
      // Nothing is added to the file, so only the recipients can open it later.
      return [];
    },
  });
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return { stream: await encrypter.encrypt(plain), decrypter };
}

/** Private keys of age, or the file that has them. */
export type AgeIdentity = string | Decrypter;

/** Decrypts a stream if it is encrypted. @package @param name names the stream in errors. */
export async function decryptStream(stored: Bytes, name: string, identity?: AgeIdentity) {
  const reader = stored.getReader();
  let start = Buffer.alloc(0);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= firstBytes.length) break;
  }
  reader.releaseLock();
  const whole = stored.pipeThrough(new TransformStream({ start: (into) => into.enqueue(start) }));
  if (!start.toString("latin1").startsWith(firstBytes)) return whole;
  const missing = (words: string) => new Fault("encrypted_backup", `${name} is encrypted${words}.`);
  if (!identity) throw missing(": name the file with its key by --identity");
  const decrypter = typeof identity === "string" ? await readIdentities(identity) : identity;
  return decrypter.decrypt(whole).catch((error: Error) => {
    const isOther = error.message.startsWith("no identity matched");
    throw isOther ? missing(" for other keys than those given") : error;
  }) as Promise<Bytes>;
}

/** @throws Fault, which does not repeat what is in the file. */
async function readIdentities(file: string): Promise<Decrypter> {
  const decrypter = new (await loadAge()).Decrypter();
  const lines = readTextFile(file).split("\n");
  try {
    for (const line of lines) if (/^[^#\s]/.test(line)) decrypter.addIdentity(line.trim());
    return decrypter;
  } catch {
    throw new Fault("configuration", `${file} has a line that is no private key of age.`);
  }
}

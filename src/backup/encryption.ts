/** Encrypts and decrypts streams in the format of age (age-encryption.org/v1). */
import type { Identity } from "age-encryption";

/** Loaded on first use, because most backups are not encrypted. */
const loadAge = () => import("age-encryption");

/** @package @returns the encrypted stream, and an identity that opens this stream only, so that the writer can read it back. */
export async function encryptStream(
  plain: ReadableStream<Uint8Array>,
  recipients: readonly string[],
) {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  let fileKey: Uint8Array | null = null;
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = key;
      // Nothing is added to the file, so only the recipients can open it later.
      return [];
    },
  });
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const stream = await encrypter.encrypt(plain);
  return { stream, identity: { unwrapFileKey: () => fileKey } satisfies Identity };
}

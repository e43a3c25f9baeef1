/** Archives that are encrypted for age keys: who can open them, who cannot, and what is refused. */
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { encryptFile } from "../../src/backup/backup.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();

async function newKey() {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

test("a file is encrypted for several keys, each of which opens it", async () => {
  const folder = newFolder();
  const [source, target] = [join(folder, "plain"), join(folder, "plain.age")];
  const plain = Buffer.alloc(3_000_000, "Roster ");
  writeFileSync(source, plain);
  const keys = [await newKey(), await newKey()];
  const labels = new Set<string>();
  const written = await encryptFile(
    source,
    target,
    keys.map(({ recipient }) => recipient),
    { onProgress: ({ label }) => labels.add(label) },
  );
  const bytes = readFileSync(target);
  expect(written).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect([...labels]).toEqual(["encrypting"]);
  for (const { identity } of keys) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    expect(plain.equals(await decrypter.decrypt(bytes))).toBe(true);
  }
});

/** Makes objects that git itself would not make. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

/** Writes an object without checking its content. @returns its name. */
export function addObject(repository: string, type: "blob" | "commit", text: string): string {
  const body = Buffer.from(text);
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const sha = createHash("sha1").update(bytes).digest("hex");
  const directory = join(repository, "objects", sha.slice(0, 2));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, sha.slice(2)), deflateSync(bytes, { level: 1 }));
  return sha;
}

export function commitText(
  tree: string,
  parents: readonly string[] = [],
  { author = "Ada <ada@example.com> 1700000000 +0000", extra = "", message = "Change\n" } = {},
): string {
  const lines = parents.map((parent) => `parent ${parent}\n`).join("");
  const committer = "Ada <ada@example.com> 1700000000 +0000";
  return `tree ${tree}\n${lines}author ${author}\ncommitter ${committer}\n${extra}\n${message}`;
}

/** A small pack of three blobs: the second and third are deltas that are 64 times as large as the one before. */
export function deltaBomb(bytes: number): { readonly pack: Buffer; readonly blob: string } {
  const [times, levels, pattern] = [64, 2, "text\n"];
  let size = Math.floor(bytes / times ** levels / pattern.length) * pattern.length;
  const base = Buffer.alloc(size, pattern);
  const objects = [packed(3, base.length, base)];
  let name = nameOfBlob(base);
  let whole = base;
  for (let level = 0; level < levels; level++) {
    const copy = copyOf(size);
    const delta = Buffer.concat([
      varint(size),
      varint(size * times),
      ...Array.from({ length: times }, () => copy),
    ]);
    objects.push(packed(7, delta.length, delta, Buffer.from(name, "hex")));
    whole = Buffer.alloc(size * times, pattern);
    name = nameOfBlob(whole);
    size *= times;
  }
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const body = Buffer.concat([head, ...objects]);
  const sum = createHash("sha1").update(body).digest();
  return { pack: Buffer.concat([body, sum]), blob: name };
}

function nameOfBlob(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** One object of a pack: type and size, the base of a delta, the bytes. */
function packed(type: number, size: number, content: Buffer, of = Buffer.alloc(0)): Buffer {
  const head = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1] = (head.at(-1) as number) | 128;
    head.push(rest % 128);
  }
  return Buffer.concat([Buffer.from(head), of, deflateSync(content)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** Instructions that copy the first bytes of what the delta is of; one copies 16 MB at most. */
function copyOf(size: number): Buffer {
  const parts: number[] = [];
  for (let from = 0; from < size; from += 0xffffff) {
    const length = Math.min(0xffffff, size - from);
    parts.push(0xff);
    for (const shift of [0, 8, 16, 24]) parts.push((from >>> shift) & 255);
    for (const shift of [0, 8, 16]) parts.push((length >>> shift) & 255);
  }
  return Buffer.from(parts);
}

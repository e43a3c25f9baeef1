/** Writes zip archives (APPNOTE 6.3) that are the same on every machine. */
import { crc32, deflateRawSync } from "node:zlib";

const [localSignature, centralSignature, endSignature] = [0x04034b50, 0x02014b50, 0x06054b50];
/** Version 2.0 of the format, made on Unix. */
const [version, unix] = [20, 3];
/** Names are UTF-8. */
const flags = 0x800;
const deflated = 8;
const regularFile = 0o100644;

/** @param date is written as UTC. The format knows only even seconds. */
export function packZip(files: Readonly<Record<string, Uint8Array>>, date: Date): Uint8Array {
  const time = writeTime(date);
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, bytes] of Object.entries(files)) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const about = Buffer.concat([
      ...[short(version), short(flags), short(deflated), time, long(crc32(bytes))],
      ...[long(packed.length), long(bytes.length), short(name.length), short(0)],
    ]);
    const local = [long(localSignature), about, name, packed];
    locals.push(...local);
    entries.push(
      ...[long(centralSignature), Buffer.from([version, unix]), about, short(0), short(0)],
      ...[short(0), long(regularFile * 0x10000), long(offset), name],
    );
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const central = Buffer.concat(entries);
  const count = short(Object.keys(files).length);
  const end = [long(endSignature), short(0), short(0), count, count, long(central.length)];
  return Buffer.concat([...locals, central, ...end, long(offset), short(0)]);
}

function writeTime(date: Date): Buffer {
  const [hours, minutes, seconds] = [
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  const time = (hours << 11) | (minutes << 5) | (seconds >> 1);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return Buffer.concat([short(time), short(day)]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

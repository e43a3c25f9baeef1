/**
 * Turns SQLite's errors about the disk, permissions or locks into messages that name the file. Other errors are bugs of this
 * program and stay unchanged.
 */
import { Fault, isFault } from "../contract/fault.ts";
import { isOutOfSpace } from "./folder/disk-space.ts";

/** Returns SQLite's code of an error or of its causes, for example `SQLITE_FULL`. */
export function getStoreErrorCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && code.startsWith("SQLITE_")) return code;
  }
  return undefined;
}

/** @returns a Fault for an error about the disk, permissions, locks or damage. Returns other errors unchanged. */
export function toStoreFault(thrown: unknown, path: string): unknown {
  // Rows contain JSON and compressed bytes. They are unreadable only if they are damaged.
  if (thrown instanceof SyntaxError || (thrown as { code?: unknown } | null)?.code === "ERR_ZSTD") {
    const { message } = thrown as Error;
    return new Fault("damaged", `${path} is damaged: ${message}.`, { cause: thrown });
  }
  const code = getStoreErrorCode(thrown);
  if (code === undefined || isFault(thrown)) return thrown;
  if (isSpaceError(code, path)) {
    const message = `${path} cannot be written: its disk is full.`;
    return new Fault("no_space", message, { cause: thrown });
  }
  const reason = reasons.find(([form]) => form.test(code))?.[1];
  if (!reason) return thrown;
  return new Fault(isDamage(code) ? "damaged" : "store", `${path} ${reason} (${code}).`, {
    cause: thrown,
  });
}

const isDamage = (code: string) => /^SQLITE_(CORRUPT|NOTADB)/.test(code);

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "is locked by another process, which did not let go in time"],
  [/^SQLITE_READONLY/, "cannot be written: the file, its folder or the file system is read-only"],
  [/^SQLITE_CANTOPEN/, "cannot be opened: it is missing, or this user may not read or create it"],
  [/^SQLITE_(PERM|AUTH)/, "cannot be used: permission denied"],
  [/^SQLITE_(IOERR|NOLFS)/, "cannot be read or written: the disk failed"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "is damaged"],
];

/** Whether the only problem is a full disk or an exhausted quota. SQLite reports some of these as I/O errors. */
export function isSpaceError(code: string, path: string): boolean {
  if (code === "SQLITE_FULL") return true;
  return /^SQLITE_(IOERR_(WRITE|SHM)|CANTOPEN)/.test(code) && isOutOfSpace(path);
}

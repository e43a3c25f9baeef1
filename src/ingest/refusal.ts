import { Fault, isFault } from "../contract/fault.ts";

export interface RejectedLine {
  /** Line number, counted from 1. Blank lines count. */
  readonly line: number;
  readonly login?: string;
  /** Path of the wrong field, such as `repositories[3].stars`; undefined if the whole line is wrong. */
  readonly field?: string;
  readonly reason: string;
}

export type LineComplaint = Omit<RejectedLine, "line">;

/** Turns a system error about a file into a Fault with a readable message. Returns a Fault unchanged. */
export function createFileRefusal(path: string, error: unknown): Fault {
  if (isFault(error)) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const inWords: Record<string, string> = {
    ENOENT: "does not exist",
    ENOTDIR: "does not exist: a part of the path is not a folder",
    EISDIR: "is a folder, not a file",
    EACCES: "cannot be opened: permission denied",
    EPERM: "cannot be opened: permission denied",
    ENOSPC: "cannot be written: no space is left",
    EPIPE: "was closed by its reader before everything was written",
    EROFS: "cannot be written: the file system is read-only",
  };
  const words = typeof code === "string" ? inWords[code] : undefined;
  const reason =
    words ?? `cannot be read or written: ${error instanceof Error ? error.message : String(error)}`;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  return new Fault(isMissing ? "not_found" : "refused", `${path} ${reason}.`, { cause: error });
}

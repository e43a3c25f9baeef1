import { basename } from "node:path";

/** What one process did to the files of a folder, and what it said meanwhile, in order. */
export type Step =
  | {
      readonly kind: "write";
      readonly file: string;
      readonly offset: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "cut"; readonly file: string; readonly size: number }
  | { readonly kind: "sync"; readonly file: string }
  | { readonly kind: "said"; readonly text: string };

/** What strace is asked to write down. */
export const straceFlags = [
  ...["-f", "-y", "-xx", "-s", "1000000"],
  ...["-e", "trace=pwrite64,write,fsync,fdatasync,ftruncate"],
];

/** `PID name(FD<PATH>, ...) = RESULT`, or in two lines where another thread was traced in between. */
const line = /^(\d+) +(\w+)\((\d+)<([^>]*)>(?:, (.*?))?(?:\) += (-?\d+).*| <unfinished \.\.\.>)$/;
const rest = /^(\d+) +<\.\.\. (\w+) resumed>.*= (-?\d+)/;

/** @param files names of the files that are followed. */
export function readTrace(text: string, files: ReadonlySet<string>): Step[] {
  const steps: Step[] = [];
  const begun = new Map<string, Step | undefined>();
  for (const entry of text.split("\n")) {
    const resumed = rest.exec(entry);
    if (resumed) {
      const step = begun.get(`${resumed[1]} ${resumed[2]}`);
      if (step && Number(resumed[3]) >= 0) steps.push(step);
      continue;
    }
    const [, process, call = "", descriptor, path = "", more = "", result] = line.exec(entry) ?? [];
    const file = basename(unescaped(path).toString());
    const step = asStep({ call, descriptor, file, more }, files);
    if (result === undefined) begun.set(`${process} ${call}`, step);
    else if (step && Number(result) >= 0) steps.push(step);
  }
  return steps;
}

interface Call {
  readonly call: string;
  readonly descriptor: string | undefined;
  readonly file: string;
  readonly more: string;
}

function asStep(
  { call, descriptor, file, more }: Call,
  files: ReadonlySet<string>,
): Step | undefined {
  if (call === "write" && descriptor === "1") {
    return { kind: "said", text: unescaped(more).toString() };
  }
  if (!files.has(file)) return undefined;
  if (call === "fsync" || call === "fdatasync") return { kind: "sync", file };
  if (call === "ftruncate") return { kind: "cut", file, size: Number(more) };
  if (call !== "pwrite64") throw new Error(`${call} on ${file} is not followed`);
  const offset = Number(/, \d+, (\d+)$/.exec(more)?.[1]);
  return { kind: "write", file, offset, bytes: unescaped(more) };
}

/** @returns the bytes that a text names as `\x..`. */
function unescaped(text: string): Buffer {
  return Buffer.from(
    (text.match(/\\x[0-9a-f]{2}/g) ?? []).map((code) => code.slice(2)).join(""),
    "hex",
  );
}

/** A place that an operator's commands reach, such as ssh. The program is started without a shell. */
import { createReadStream } from "node:fs";
import { Fault } from "../../contract/fault.ts";
import { startGroup } from "../../contract/process-group.ts";
import { createFileFault } from "../staging-folder.ts";
import {
  type BackupPlace,
  type PlacedFile,
  placedName,
  silentMsMax,
  streamChunks,
  watchSilence,
} from "./place.ts";

/** The words of each command. `{name}` in a word stands for the name of the file. */
export interface PlaceCommands {
  /** Stores its standard input. */
  readonly write: readonly string[];
  /** Writes the file to standard output. */
  readonly read: readonly string[];
  /** Prints one name in each line. The size in bytes may precede it. */
  readonly list: readonly string[];
  readonly remove: readonly string[];
}

interface CommandPlaceOptions {
  readonly label: string;
  /** All variables of the commands. They hold no secret of Roster. */
  readonly environment: Readonly<Record<string, string>>;
  readonly silentMs?: number;
}

type Verb = keyof PlaceCommands;

export function createCommandPlace(
  commands: PlaceCommands,
  options: CommandPlaceOptions,
): BackupPlace {
  const start = (verb: Verb, name: string, signal?: AbortSignal) =>
    startStep(
      verb,
      commands[verb].map((word) => word.replaceAll("{name}", name)),
      options,
      signal,
    );
  return {
    label: options.label,
    async put(name, file, signal) {
      const step = start("write", name, signal);
      try {
        // What the command prints is read too, because it would wait otherwise.
        await Promise.all([feed(step, file), drop(step.chunks())]);
      } finally {
        step.end();
      }
    },
    get: (name, signal) =>
      streamChunks((ending) => readAll(() => start("read", name, ending)), signal),
    async list(signal) {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of readAll(() => start("list", "", signal))) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > listMax) throw new Fault("storage", `${options.label} lists too much.`);
      }
      return text.split("\n").flatMap(parseLine);
    },
    async remove(name, signal) {
      await drop(readAll(() => start("remove", name, signal)));
    },
  };
}

const listMax = 16 * 2 ** 20;

function parseLine(line: string): readonly PlacedFile[] {
  const words = line.trim().split(/\s+/);
  const name = words.pop() ?? "";
  const [bytes] = words;
  if (!placedName.test(name) || words.length > 1) return [];
  if (bytes === undefined) return [{ name, bytes: undefined }];
  return /^\d{1,15}$/.test(bytes) ? [{ name, bytes: Number(bytes) }] : [];
}

type Step = ReturnType<typeof startStep>;

function startStep(
  verb: Verb,
  words: readonly string[],
  { label, environment, silentMs = silentMsMax }: CommandPlaceOptions,
  outer?: AbortSignal,
) {
  const watch = watchSilence(label, silentMs, outer);
  const { signal, hear } = watch;
  const group = startProgram(verb, words, label, environment);
  const { child, stop } = group;
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const lastWords = readLastLine(child.stderr, hear);
  const end = () => {
    stop();
    signal.removeEventListener("abort", stop);
    watch.end();
  };
  /** Passes on standard output, and fails at its end unless the command succeeded. */
  async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for await (const chunk of child.stdout as ReadableStream<Uint8Array<ArrayBuffer>>) {
      watch.pause();
      yield chunk;
      hear();
    }
    const [code, last] = [await group.exited, await lastWords];
    signal.throwIfAborted();
    if (code === 0) return;
    throw new Fault("storage", `${label} failed to ${verb}: ${last || `exit code ${code}`}.`);
  }
  return { stdin: child.stdin as Bun.FileSink, signal, hear, chunks, end };
}

function startProgram(
  verb: Verb,
  words: readonly string[],
  label: string,
  env: Readonly<Record<string, string>>,
) {
  try {
    return startGroup(words, { env, stdin: verb === "write" ? "pipe" : "ignore" });
  } catch (error) {
    throw new Fault("storage", `${label} cannot start ${words[0]}: ${(error as Error).message}.`);
  }
}

async function* readAll(
  start: () => Step,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const step = start();
  try {
    yield* step.chunks();
  } finally {
    step.end();
  }
}

async function drop(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

const chunkBytes = 2 ** 20;

/** Writes a file to the command. The command sees no early end: it is killed first. */
async function feed({ stdin, signal, hear }: Step, file: string): Promise<void> {
  const source = createReadStream(file, { highWaterMark: chunkBytes });
  try {
    for await (const chunk of source) {
      // A command that has ended tells why by its exit code.
      const written = await Promise.resolve(stdin.write(chunk)).catch(() => undefined);
      if (written === undefined) return;
      signal.throwIfAborted();
      hear();
    }
    await Promise.resolve(stdin.end()).catch(() => {});
  } catch (error) {
    throw createFileFault(file, error);
  } finally {
    source.destroy();
  }
}

const lastLineMax = 500;

async function readLastLine(stream: ReadableStream<Uint8Array>, hear: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let end = "";
  for await (const chunk of stream) {
    hear();
    end = (end + decoder.decode(chunk, { stream: true })).slice(-8 * lastLineMax);
  }
  const last = end.trim().split("\n").at(-1) ?? "";
  return last.replace(/\.$/, "").slice(0, lastLineMax);
}

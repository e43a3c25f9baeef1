/** A place that an operator's commands reach, such as ssh. The programs are started without a shell. */
import { createReadStream } from "node:fs";
import { Fault } from "../../contract/fault.ts";
import { readLastLine, startGroup } from "../../contract/process-group.ts";
import { createFileFault } from "../staging-folder.ts";
import {
  atEnd,
  type BackupPlace,
  type Chunks,
  type PlacedFile,
  placedName,
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
  /** All variables of the commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly silentMs?: number;
}

export function createCommandPlace(
  commands: PlaceCommands,
  options: CommandPlaceOptions,
): BackupPlace {
  /** Runs a command to its end, and yields its standard output. @param file standard input. */
  async function* run(
    verb: keyof PlaceCommands,
    name: string,
    outer?: AbortSignal,
    file?: string,
  ): Chunks {
    const { label, environment: env, silentMs } = options;
    const watch = watchSilence(label, outer, silentMs);
    const { signal, hear } = watch;
    const words = commands[verb].map((word) => word.replaceAll("{name}", name));
    const { child, exited, stop } = startGroup(words, { env, stdin: file ? "pipe" : "ignore" });
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const lastWords = readLastLine(child.stderr);
    const fed = file ? feed(child.stdin as Bun.FileSink, file, watch) : undefined;
    // It is awaited below, perhaps after the command has ended.
    fed?.catch(stop);
    try {
      for await (const chunk of child.stdout) {
        hear();
        yield chunk as Uint8Array<ArrayBuffer>;
      }
      const code = await exited;
      signal.throwIfAborted();
      await fed;
      if (code === 0) return;
      const reason = (await lastWords) || `exit code ${code}`;
      throw new Fault("storage", `${label} cannot ${verb}: ${reason}.`);
    } finally {
      stop();
      watch.end();
    }
  }
  const list = async (signal?: AbortSignal) =>
    (await readText(run("list", "", signal))).split("\n").flatMap(parseLine);
  return {
    ...{ label: options.label, list },
    put: async (name, file, signal) => void (await readText(run("write", name, signal, file))),
    get: (name, signal) => streamChunks(run("read", name, signal)),
    async remove(name, signal) {
      try {
        await readText(run("remove", name, signal));
      } catch (error) {
        // Many commands refuse to remove what is not there.
        if ((await list(signal)).some((one) => one.name === name)) throw error;
      }
    },
  };
}

function parseLine(line: string): readonly PlacedFile[] {
  const [, bytes, name = ""] = /^\s*(?:(\d{1,15})\s+)?(\S{1,200})\s*$/.exec(line) ?? [];
  if (!placedName.test(name)) return [];
  return [{ name, bytes: bytes === undefined ? undefined : Number(bytes) }];
}

const chunkBytes = 2 ** 20;

/** Writes a file to a command. After an error the command is killed, because it would take an early end for the end of the file. */
async function feed(
  stdin: Bun.FileSink,
  file: string,
  { signal, hear }: ReturnType<typeof watchSilence>,
): Promise<void> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      await stdin.write(chunk);
      signal.throwIfAborted();
      hear();
    }
    hear(atEnd);
    await stdin.end();
  } catch (error) {
    // The command has ended, and its exit code says more.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw createFileFault(file, error);
  }
}

const textMax = 16 * 2 ** 20;

/** Reads the end of a text. */
async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks)
    text = (text + decoder.decode(chunk, { stream: true })).slice(-textMax);
  return text;
}

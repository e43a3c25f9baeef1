import { tryParseJson } from "../../contract/foreign-json.ts";
import type { Study, StudyState } from "../../interfaces/web/web.ts";
import { type ChildProgram, startChild } from "./child-program.ts";

export interface StudyParts<Result> {
  /** The command that runs this program. Undefined means that no study can run. */
  readonly self: readonly string[] | undefined;
  /** The arguments of the command. The command prints its result as JSON and changes nothing. */
  readonly given: readonly string[];
  readonly read: (json: unknown) => Result;
  /** Returns the result if the command finds nobody. Without this function, such a command has failed. */
  readonly readNothing?: () => Result;
  /** Returns a value that changes when the command's result may change. */
  readonly mark: () => string;
  readonly now: () => Date;
}

export interface OpenStudy<Result> extends Study<Result> {
  close(): Promise<void>;
}

/** The exit code for "not found". */
const notFoundCode = 4;

/** Creates a study: a command in a child process with a cached result. */
export function createStudy<Result>(parts: StudyParts<Result>): OpenStudy<Result> {
  const { self, given, read, readNothing, mark, now } = parts;
  let state: StudyState<Result> = { state: "none" };
  let marked: string | undefined;
  let child: ChildProgram | undefined;
  let running = Promise.resolve();
  const run = async (program: readonly string[]) => {
    const before = mark();
    state = { state: "running", progress: undefined };
    child = startChild(program, given, (progress) => {
      state = { state: "running", progress };
    });
    const { code, out, fault } = await child.ended;
    child = undefined;
    const json = tryParseJson(out);
    marked = before;
    const done = (result: Result) =>
      ({ state: "done", result, at: now(), isStale: false }) as const;
    if (fault === undefined && json !== undefined) state = done(read(json));
    else if (code === notFoundCode && readNothing) state = done(readNothing());
    else state = { state: "failed", message: fault ?? "it printed nothing that can be read" };
  };
  return {
    ask() {
      if (!self) state = { state: "failed", message: "This server can start nothing." };
      else if (!child) running = run(self);
    },
    read: () => (state.state === "done" ? { ...state, isStale: marked !== mark() } : state),
    async close() {
      child?.end();
      await running;
    },
  };
}

import type { Assessment } from "../../contract/people/assessment.ts";
import type { GivenFacts, Import } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { parseFacts } from "../parse-facts.ts";
import type { Line } from "../read-lines.ts";
import type { LineComplaint, RejectedLine } from "../refusal.ts";

export interface IntakeOptions {
  readonly judge: Judge;
  /** Whether one bad line makes the import fail. By default, the good lines are imported. */
  readonly strict?: boolean;
  readonly onRejected?: (rejected: RejectedLine) => void;
}

const linesPerBatch = 100;
const charactersPerBatch = 4 * 2 ** 20;
const rejectionsNamed = 100;

/** @package Imports lines in batches. A line that equals the stored facts is confirmed. Other lines are judged and stored. */
export class Intake {
  /** Number of lines that are not blank. */
  lines = 0;
  /** Number of bad lines so far. */
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Import;
  readonly #options: IntakeOptions;
  #batch: Line[] = [];
  #characters = 0;
  /** For each login, the number of its last line. The key is a 52-bit hash of the login, to save memory. */
  readonly #lineOf = new Map<number, number>();

  constructor(load: Import, options: IntakeOptions) {
    this.#load = load;
    this.#options = options;
  }

  /** Adds a line to the batch. @returns whether the batch is full and `flush` must be called. */
  take(line: Line): boolean {
    this.lines += 1;
    this.#batch.push(line);
    if ("text" in line) this.#characters += line.text.length;
    return this.#batch.length >= linesPerBatch || this.#characters >= charactersPerBatch;
  }

  /** Judges and stores the lines of the batch. @param share the part of the input that has been read, from 0 to 1. */
  async flush(share?: number): Promise<void> {
    const { strict, judge } = this.#options;
    const lines = this.#batch.map(readLine);
    this.#batch = [];
    this.#characters = 0;
    const people = this.#judge(lines, await this.#confirm(lines));
    // A strict import with a bad line stores nothing. It continues only to report all bad lines.
    if (strict && this.rejected > 0) return;
    await this.#load.put(people, judge.basis);
    if (share !== undefined) await this.#load.requireRoom(share);
  }

  async #confirm(lines: readonly ReadLine[]): Promise<ReadonlySet<ReadLine>> {
    const { basis } = this.#options.judge;
    // Confirms only the last line of each login, because earlier lines do not count.
    const last = new Map(lines.filter(isGiven).map((line) => [toKey(line.login), line]));
    const given = [...last.values()];
    if (basis === undefined || given.length === 0) return new Set();
    const done = await this.#load.confirm(given, basis);
    return new Set(given.filter((_, at) => done[at]));
  }

  /** Judges the lines that were not confirmed. @returns the people to store, one for each login. */
  #judge(lines: readonly ReadLine[], confirmed: ReadonlySet<ReadLine>): readonly Assessment[] {
    const people = new Map<string, Assessment>();
    for (const line of lines) {
      if (isGiven(line) && confirmed.has(line)) {
        this.#noteLogin(line.login, line.number);
        people.delete(line.login.toLowerCase());
        continue;
      }
      const read = isGiven(line) ? parseFacts(line.text) : line;
      if ("complaint" in read) {
        this.#reject({ line: line.number, ...read.complaint });
        continue;
      }
      const { login } = read.facts;
      this.#noteLogin(login, line.number);
      people.set(login.toLowerCase(), this.#options.judge(read.facts));
    }
    return [...people.values()];
  }

  #noteLogin(login: string, number: number): void {
    const key = toKey(login);
    const earlier = this.#lineOf.get(key);
    this.#lineOf.set(key, number);
    if (earlier === undefined) return;
    const reason = `occurs again in line ${number}, which is used instead`;
    this.#reject({ line: earlier, login, field: "login", reason });
  }

  #reject(rejected: RejectedLine): void {
    this.rejected += 1;
    if (this.rejections.length < rejectionsNamed) this.rejections.push(rejected);
    this.#options.onRejected?.(rejected);
  }
}

/** A line with its login, or a complaint about the line. */
type ReadLine = { readonly number: number } & (GivenFacts | { readonly complaint: LineComplaint });

const isGiven = (line: ReadLine): line is ReadLine & GivenFacts => "login" in line;

/** Reads a line. In a line of the form that `export` writes, reads only the login. Converts any other line to this form. */
function readLine(line: Line): ReadLine {
  const { number } = line;
  if ("fault" in line) return { number, complaint: { reason: line.fault } };
  // Removes the carriage return of files from Windows.
  const text = line.text.replace(/\r$/, "");
  const login = readLogin(text);
  if (login !== undefined) return { number, text, login };
  const parsed = parseFacts(text);
  if ("complaint" in parsed) return { number, complaint: parsed.complaint };
  return { number, text: JSON.stringify(parsed.facts), login: parsed.facts.login };
}

const beginning = '{"login":"';

function readLogin(text: string): string | undefined {
  if (!text.startsWith(beginning)) return undefined;
  const login = text.slice(beginning.length, text.indexOf('"', beginning.length));
  // A login with an escape (`\u0061`) must be parsed as JSON.
  return login.includes("\\") ? undefined : login;
}

function toKey(login: string): number {
  return Number(Bun.hash(login.toLowerCase()) & 0xf_ffff_ffff_ffffn);
}

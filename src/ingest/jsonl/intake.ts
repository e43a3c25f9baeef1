import type { GivenFacts, Import, PackedDeveloper } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { parseFacts } from "../parse-facts.ts";
import type { Line } from "../read-lines.ts";
import type { LineComplaint, RejectedLine } from "../refusal.ts";
import type { JudgedLine, LineJudge } from "./judging-threads.ts";

interface IntakeOptions {
  readonly judge: Pick<Judge, "basis">;
  readonly judging: LineJudge;
  readonly strict?: boolean;
  readonly onRejected?: (rejected: RejectedLine) => void;
}

type Load = Pick<Import, "put" | "confirm" | "requireRoom">;

const linesPerBatch = 100;
const charactersPerBatch = 4 * 2 ** 20;
const rejectionsNamed = 100;

/**
 * Imports lines in batches. A person without changes is confirmed by the login of the line alone. The others are judged,
 * several batches at once, and stored in the order of the lines. Bad lines are recorded.
 *
 * @package
 */
export class Intake {
  /** Lines that are not blank. */
  lines = 0;
  /** Bad lines in the batches that are finished. */
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Load;
  readonly #options: IntakeOptions;
  #batch: Line[] = [];
  #characters = 0;
  /** Batches that are being judged, in order. */
  readonly #underWay: Batch[] = [];
  /** Number of the last line with a login, by the login's 52-bit hash, which is far smaller than the login. */
  readonly #lineOf = new Map<number, number>();

  constructor(load: Load, options: IntakeOptions) {
    this.#load = load;
    this.#options = options;
  }

  take(line: Line): void {
    this.lines += 1;
    this.#batch.push(line);
    if ("text" in line) this.#characters += line.text.length;
  }

  get isFull(): boolean {
    return this.#batch.length >= linesPerBatch || this.#characters >= charactersPerBatch;
  }

  /**
   * Starts to judge the lines taken so far, and stores the batches that are judged. It waits only if too many are under way.
   *
   * @param share of the input that was taken, from 0 to 1, if known.
   */
  async flush(share?: number): Promise<void> {
    const { judging } = this.#options;
    while (this.#underWay[0]?.isDone) await this.#settle();
    const hasBasis = this.#options.judge.basis !== undefined;
    const read = this.#batch.map((line) => readLine(line, hasBasis));
    this.#batch = [];
    this.#characters = 0;
    const logins = new Set(read.filter(isGiven).map(({ login }) => toKey(login)));
    // The last line of a login counts, so an earlier batch with this login must be stored before this batch.
    while (this.#underWay.some((batch) => !batch.logins.isDisjointFrom(logins))) {
      await this.#settle();
    }
    const lines = await this.#confirm(read);
    const texts = lines.flatMap((line) => ("text" in line && !line.isConfirmed ? [line.text] : []));
    const batch: Batch = { lines, logins, judged: judging.judge(texts), share, isDone: false };
    const noteDone = () => {
      batch.isDone = true;
    };
    // The promise is awaited later; until then a rejection must not count as unhandled.
    batch.judged.then(noteDone, noteDone);
    this.#underWay.push(batch);
    while (this.#underWay.length >= judging.batchesAtOnce) await this.#settle();
  }

  /** Flushes, and waits for all batches. */
  async finish(): Promise<void> {
    await this.flush();
    while (this.#underWay.length > 0) await this.#settle();
  }

  async #confirm(read: readonly ReadLine[]): Promise<readonly ReadLine[]> {
    const { basis } = this.#options.judge;
    // The last line of a login counts: an earlier one of this batch is not confirmed in its place.
    const last = new Map(read.filter(isGiven).map((line) => [toKey(line.login), line]));
    const given = [...last.values()];
    if (basis === undefined || given.length === 0) return read;
    const done = await this.#load.confirm(given, basis);
    const confirmed = new Set<ReadLine>(given.filter((_, at) => done[at]));
    return read.map((line) => (confirmed.has(line) ? { ...line, isConfirmed: true } : line));
  }

  async #settle(): Promise<void> {
    const batch = this.#underWay.shift();
    if (!batch) return;
    const rows = this.#collect(batch.lines, await batch.judged);
    // A strict import that has failed reads on only to report every bad line.
    if (this.#options.strict && this.rejected > 0) return;
    await this.#load.put(rows, this.#options.judge.basis);
    if (batch.share !== undefined) await this.#load.requireRoom(batch.share);
  }

  /** @returns the rows to store; for a login that comes twice, only the row of the later line. */
  #collect(lines: readonly ReadLine[], judged: readonly JudgedLine[]): readonly PackedDeveloper[] {
    const rows = new Map<string, PackedDeveloper>();
    const answers = judged.values();
    for (const line of lines) {
      if ("complaint" in line) {
        this.#reject({ line: line.number, ...line.complaint });
        continue;
      }
      if (line.isConfirmed && isGiven(line)) {
        this.#noteLogin(line.login, line.number);
        rows.delete(line.login.toLowerCase());
        continue;
      }
      const answer = answers.next().value;
      if (!answer) throw new Error("Every line that was to be judged has an answer.");
      if ("complaint" in answer) {
        this.#reject({ line: line.number, ...answer.complaint });
        continue;
      }
      const { row } = answer;
      this.#noteLogin(row.login, line.number);
      rows.set(row.login.toLowerCase(), row);
    }
    return [...rows.values()];
  }

  #noteLogin(login: string, number: number): void {
    const key = toKey(login);
    const earlier = this.#lineOf.get(key);
    this.#lineOf.set(key, number);
    if (earlier === undefined) return;
    const reason = `comes again in line ${number}, which counts`;
    this.#reject({ line: earlier, login, field: "login", reason });
  }

  #reject(rejected: RejectedLine): void {
    this.rejected += 1;
    if (this.rejections.length < rejectionsNamed) this.rejections.push(rejected);
    this.#options.onRejected?.(rejected);
  }
}

/** A line, as far as it is read before it is judged. */
type ReadLine =
  | { readonly number: number; readonly complaint: LineComplaint }
  | (Partial<GivenFacts> & {
      readonly number: number;
      readonly text: string;
      /** Nothing has changed, so the line need not be judged. */
      readonly isConfirmed?: boolean;
    });

interface Batch {
  readonly lines: readonly ReadLine[];
  /** The logins known before judging, as `toKey` hashes them. */
  readonly logins: ReadonlySet<number>;
  /** Of the lines that are neither bad nor confirmed, in order. */
  readonly judged: Promise<readonly JudgedLine[]>;
  readonly share: number | undefined;
  isDone: boolean;
}

const isGiven = (line: ReadLine): line is ReadLine & GivenFacts => "login" in line;

/**
 * Reads only the login of a line in the form that `export` writes. Other lines are parsed and put into that form, so that they
 * can be confirmed too.
 */
function readLine(line: Line, hasBasis: boolean): ReadLine {
  const { number } = line;
  if ("fault" in line) return { number, complaint: { reason: line.fault } };
  // Without the carriage return of a file from Windows.
  const text = line.text.replace(/\r$/, "");
  if (!hasBasis) return { number, text };
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
  // A login with an escape would be taken for another login.
  return login.includes("\\") ? undefined : login;
}

function toKey(login: string): number {
  return Number(Bun.hash(login.toLowerCase()) & 0xf_ffff_ffff_ffffn);
}

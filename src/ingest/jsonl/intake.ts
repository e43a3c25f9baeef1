import type { Facts } from "../../contract/people/facts.ts";
import type { GivenFacts, Import } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { parseFacts } from "../parse-facts.ts";
import type { Line } from "../read-lines.ts";
import type { RejectedLine } from "../refusal.ts";

interface IntakeOptions {
  readonly judge: Judge;
  readonly strict?: boolean;
  readonly onRejected?: (rejected: RejectedLine) => void;
}

const linesPerBatch = 100;
const charactersPerBatch = 4 * 2 ** 20;
const rejectionsNamed = 100;

/**
 * Takes lines in batches: people of whom nothing has changed are confirmed without reading more than the login of their
 * line, the others are checked, judged and put. Bad lines are recorded.
 *
 * @package
 */
export class Intake {
  /** Lines that are not blank. */
  lines = 0;
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Pick<Import, "put" | "confirm">;
  readonly #options: IntakeOptions;
  #batch: Line[] = [];
  #characters = 0;
  /** Number of the last line with a login, by the login's 52-bit hash, which is far smaller than the login. */
  readonly #lineOf = new Map<number, number>();

  constructor(load: Pick<Import, "put" | "confirm">, options: IntakeOptions) {
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

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    const changed = this.#check(batch, await this.#confirm(batch.flatMap(readGiven)));
    // A strict import that has failed reads on only to report every bad line.
    if (this.#options.strict && this.rejected > 0) return;
    const { judge } = this.#options;
    await this.#load.put((await this.#leaveConfirmed(changed)).map(judge), judge.basis);
  }

  /** @returns the facts to put; of a login that comes twice, only those of its later line. */
  #check(batch: readonly Line[], confirmed: ReadonlySet<string>): readonly CheckedLine[] {
    const checked = new Map<string, CheckedLine>();
    for (const line of batch) {
      if ("fault" in line) {
        this.#reject({ line: line.number, reason: line.fault });
        continue;
      }
      const { number } = line;
      const text = line.text.trimEnd();
      const login = confirmed.has(text) ? readLogin(text) : undefined;
      if (login !== undefined) {
        this.#noteLogin(login, number);
        checked.delete(login.toLowerCase());
        continue;
      }
      const parsed = parseFacts(text);
      if ("complaint" in parsed) {
        this.#reject({ line: number, ...parsed.complaint });
        continue;
      }
      const { facts } = parsed;
      this.#noteLogin(facts.login, number);
      checked.set(facts.login.toLowerCase(), { text, facts });
    }
    return [...checked.values()];
  }

  /** Asks once more about lines that are not in the form of `export`: with spaces, or keys in another order. */
  async #leaveConfirmed(checked: readonly CheckedLine[]): Promise<Facts[]> {
    const isOther = ({ text }: CheckedLine) => readLogin(text) === undefined;
    const given = new Map(
      checked.filter(isOther).map(({ facts }) => [facts, JSON.stringify(facts)]),
    );
    const confirmed = await this.#confirm([...given].map(([{ login }, text]) => ({ login, text })));
    return checked
      .map(({ facts }) => facts)
      .filter((facts) => !confirmed.has(given.get(facts) ?? ""));
  }

  /** @returns the texts of those in whom nothing has changed. */
  async #confirm(given: readonly GivenFacts[]): Promise<ReadonlySet<string>> {
    const { basis } = this.#options.judge;
    if (basis === undefined || given.length === 0) return new Set();
    const done = await this.#load.confirm(given, basis);
    return new Set(given.filter((_, at) => done[at]).map(({ text }) => text));
  }

  #noteLogin(login: string, number: number): void {
    const key = Number(Bun.hash(login.toLowerCase()) & 0xf_ffff_ffff_ffffn);
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

interface CheckedLine {
  readonly text: string;
  readonly facts: Facts;
}

function readGiven(line: Line): GivenFacts[] {
  if ("fault" in line) return [];
  // Without the carriage return of a file from Windows.
  const text = line.text.trimEnd();
  const login = readLogin(text);
  return login === undefined ? [] : [{ login, text }];
}

const beginning = '{"login":"';

/** Reads the login without parsing the line, in the form in which `export` writes it. */
function readLogin(text: string): string | undefined {
  if (!text.startsWith(beginning)) return undefined;
  const end = text.indexOf('"', beginning.length);
  return end === -1 ? undefined : text.slice(beginning.length, end);
}

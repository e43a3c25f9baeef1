/** Who ever worked on each file, so that the knowers of any set of files are summed without measuring them again. */

/** Rows of one file after the other. */
export interface FileKnowers {
  /** By file: its first row; and the end of the last. */
  readonly starts: Uint32Array;
  /** By file: lines that stand. */
  readonly lines: Float64Array;
  /** By row: number in `Knowledge.people`; -1 for who knows nothing of them. */
  readonly person: Int32Array;
  /** By row: of what is known of the file, 0 to 1. */
  readonly share: Float64Array;
  /** By row: their latest change, in UTC days since 1970. */
  readonly day: Uint16Array;
}

/** @package */
export interface FileKnowersList {
  add(person: number, share: number, day: number): void;
  endFile(lines: number): void;
  /** @param numbers by number that was added: the number in `Knowledge.people`. */
  finish(numbers: Int32Array): FileKnowers;
}

/** @package */
export function createFileKnowers(): FileKnowersList {
  const [starts, person, day] = [[0], [] as number[], [] as number[]];
  const [share, lines] = [[] as number[], [] as number[]];
  return {
    add(number, part, on) {
      person.push(number);
      share.push(part);
      day.push(on);
    },
    endFile(standing) {
      lines.push(standing);
      starts.push(person.length);
    },
    finish: (numbers) => ({
      starts: Uint32Array.from(starts),
      lines: Float64Array.from(lines),
      person: Int32Array.from(person, (number) => numbers[number] ?? -1),
      share: Float64Array.from(share),
      day: Uint16Array.from(day),
    }),
  };
}

/** @package What one person knows of some files. */
export interface SummedKnower {
  readonly person: number;
  /** Of all that is known of the files, 0 to 1; a file counts by its lines. */
  readonly share: number;
  readonly lastDay: number;
}

interface FileSums {
  readonly weight: number;
  readonly people: readonly { readonly person: number; share: number; lastDay: number }[];
}

/**
 * @package
 * @param people how many there are.
 * @returns sums up files that are given in parts, each of which is summed once; best first, ties by number.
 */
export function createKnowerSum(
  knowers: FileKnowers,
  people: number,
): (parts: readonly (readonly number[])[]) => readonly SummedKnower[] {
  const known = new Map<readonly number[], FileSums>();
  const scratch = { shares: new Float64Array(people), days: new Uint16Array(people) };
  const sumOf = (part: readonly number[]): FileSums => {
    const before = known.get(part);
    if (before) return before;
    let weight = 0;
    const met: number[] = [];
    for (const file of part) {
      const own = (knowers.lines[file] ?? 0) + 1;
      weight += own;
      for (let at = knowers.starts[file] ?? 0; at < (knowers.starts[file + 1] ?? 0); at++) {
        const person = knowers.person[at] ?? -1;
        if (person < 0) continue;
        addTo(scratch, met, {
          ...{ person, share: own * (knowers.share[at] ?? 0), lastDay: knowers.day[at] ?? 0 },
        });
      }
    }
    const sums = { weight, people: takeFrom(scratch, met) };
    known.set(part, sums);
    return sums;
  };
  return (parts) => {
    let weight = 0;
    const met: number[] = [];
    // All parts are summed first, since they use the scratch too.
    for (const sums of parts.map(sumOf)) {
      weight += sums.weight;
      for (const one of sums.people) addTo(scratch, met, one);
    }
    const found = takeFrom(scratch, met);
    for (const one of found) one.share /= weight;
    return found.sort((a, b) => b.share - a.share || a.person - b.person);
  };
}

interface Scratch {
  readonly shares: Float64Array;
  readonly days: Uint16Array;
}

function addTo(
  { shares, days }: Scratch,
  met: number[],
  { person, share, lastDay }: SummedKnower,
): void {
  if (days[person] === 0) met.push(person);
  shares[person] = (shares[person] ?? 0) + share;
  days[person] = Math.max(days[person] ?? 0, lastDay);
}

/** Leaves it empty. */
function takeFrom({ shares, days }: Scratch, met: readonly number[]) {
  return met.map((person) => {
    const one = { person, share: shares[person] ?? 0, lastDay: days[person] ?? 0 };
    shares[person] = 0;
    days[person] = 0;
    return one;
  });
}

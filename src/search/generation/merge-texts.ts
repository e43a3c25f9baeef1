/** Sorted texts of a generation, each a run of units. */
export interface SortedTexts {
  /** One more than texts. */
  readonly starts: Uint32Array;
  readonly units: Uint16Array;
}

/** The texts of several generations in one order. Those that are equal stand side by side, as one group. */
export interface MergedTexts {
  readonly parts: Uint16Array;
  readonly positions: Uint32Array;
  /** By group, and one more for the end. */
  readonly groupStarts: Uint32Array;
  /** Of one text of each group, all together. */
  readonly units: number;
}

/**
 * Merges sorted texts of a few parts, by code unit.
 *
 * @package
 * @param isLeftOut whether the text at this position of the part is passed over.
 */
export function mergeTexts(
  texts: readonly SortedTexts[],
  isLeftOut: (part: number, position: number) => boolean,
): MergedTexts {
  const most = texts.reduce((sum, { starts }) => sum + starts.length - 1, 0);
  const [parts, positions] = [new Uint16Array(most), new Uint32Array(most)];
  const groupStarts = new Uint32Array(most + 1);
  const next = texts.map((_, part) => skip(part, 0));
  let [taken, groups, units] = [0, 0, 0];
  function skip(part: number, from: number): number {
    const { starts } = texts[part] as SortedTexts;
    let position = from;
    while (position + 1 < starts.length && isLeftOut(part, position)) position++;
    return position;
  }
  for (;;) {
    const least = findLeast(texts, next);
    if (least === undefined) break;
    const position = next[least] as number;
    const before = taken - 1;
    const isNew =
      taken === 0 ||
      compareTexts(texts, parts[before] as number, positions[before] as number, least, position) !==
        0;
    if (isNew) {
      const { starts } = texts[least] as SortedTexts;
      groupStarts[groups++] = taken;
      units += (starts[position + 1] as number) - (starts[position] as number);
    }
    parts[taken] = least;
    positions[taken++] = position;
    next[least] = skip(least, position + 1);
  }
  groupStarts[groups] = taken;
  return {
    parts: parts.subarray(0, taken),
    positions: positions.subarray(0, taken),
    groupStarts: groupStarts.subarray(0, groups + 1),
    units,
  };
}

/** Writes one text of each group. @package */
export function writeTexts(
  texts: readonly SortedTexts[],
  { parts, positions, groupStarts }: MergedTexts,
  into: SortedTexts,
): void {
  let unit = 0;
  for (let group = 0; group + 1 < groupStarts.length; group++) {
    const first = groupStarts[group] as number;
    const { starts, units } = texts[parts[first] as number] as SortedTexts;
    const position = positions[first] as number;
    const end = starts[position + 1] as number;
    into.starts[group] = unit;
    for (let at = starts[position] as number; at < end; at++) {
      into.units[unit++] = units[at] as number;
    }
  }
  into.starts[groupStarts.length - 1] = unit;
}

/** The part with the next text in order; the first part when texts are equal. */
function findLeast(texts: readonly SortedTexts[], next: readonly number[]): number | undefined {
  let least: number | undefined;
  for (let part = 0; part < texts.length; part++) {
    const position = next[part] as number;
    if (position + 1 >= (texts[part] as SortedTexts).starts.length) continue;
    if (least === undefined) least = part;
    else if (compareTexts(texts, part, position, least, next[least] as number) < 0) least = part;
  }
  return least;
}

function compareTexts(
  texts: readonly SortedTexts[],
  partA: number,
  positionA: number,
  partB: number,
  positionB: number,
): number {
  const a = texts[partA] as SortedTexts;
  const b = texts[partB] as SortedTexts;
  const startA = a.starts[positionA] as number;
  const startB = b.starts[positionB] as number;
  const lengthA = (a.starts[positionA + 1] as number) - startA;
  const lengthB = (b.starts[positionB + 1] as number) - startB;
  const shared = Math.min(lengthA, lengthB);
  for (let at = 0; at < shared; at++) {
    const difference = (a.units[startA + at] as number) - (b.units[startB + at] as number);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/** Parses JSON from others. The size of a long text is checked first, because parsing can take ninety times as much memory. */

/** Parsing a shorter text takes at most 12 MB. */
const shortMax = 64 * 1024;
/** The deepest nesting that is accepted. All JSON that Roster reads has at most ten levels. */
const depthMax = 100;
const valuesMax = 1_000_000;

/** Its message continues a sentence, e.g. `is nested deeper than 100 levels`. */
export class OversizedJson extends Error {
  override readonly name = "OversizedJson";
}

/**
 * @param most the number of values that a long text may have.
 * @throws SyntaxError if the text is not JSON. @throws OversizedJson if it exceeds the limits.
 */
export function parseForeignJson(text: string, most = valuesMax): unknown {
  if (text.length > shortMax) requireBounds(text, most);
  return JSON.parse(text);
}

/** @returns undefined if the text is not JSON or exceeds the limits. */
export function tryParseJson<Value = unknown>(text: string, most?: number): Value | undefined {
  try {
    return parseForeignJson(text, most) as Value;
  } catch {
    return undefined;
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function requireBounds(text: string, most: number): void {
  let [depth, values] = [0, 0];
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInside = !isInside;
    else if (isInside) {
      if (code === backslash) at += 1;
    } else if (code === comma || code === openList || code === openObject) {
      values += 1;
      if (code !== comma) depth += 1;
      if (depth > depthMax) throw new OversizedJson(`is nested deeper than ${depthMax} levels`);
      if (values > most) throw new OversizedJson(`holds more than ${most} values`);
    } else if (code === closeList || code === closeObject) depth -= 1;
  }
}

/** @returns an object with its fields; undefined for a list and for any other value. */
export function readRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, unknown>>) : undefined;
}

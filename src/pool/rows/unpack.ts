/** Reads the columns that `pack-developer.ts` packs. */
import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";

/** Thrown for a damaged row. The message contains nothing of the row, because the row is about a person. */
export class DamagedRow extends Error {
  override readonly name = "DamagedRow";
}

/** @throws DamagedRow */
export function unpackJson(stored: Uint8Array): unknown {
  return parseStored(unpackText(stored));
}

/** @throws DamagedRow */
export function unpackText(stored: Uint8Array): string {
  try {
    return Bun.zstdDecompressSync(stored).toString("utf8");
  } catch {
    throw new DamagedRow("a row does not unpack");
  }
}

/** @throws DamagedRow */
export function parseAnalyses(
  texts: readonly (string | undefined)[],
): readonly (ProfileAnalysis | undefined)[] {
  return texts.map((text) =>
    text === undefined ? undefined : (parseStored(text) as ProfileAnalysis),
  );
}

/** @throws DamagedRow */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedRow("a row does not parse");
  }
}

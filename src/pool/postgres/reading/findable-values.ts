import { formatNames, listKeys } from "../../finding.ts";
import { unpackFindable } from "../../rows/pack-findable.ts";
import { parseStored } from "../../rows/unpack.ts";

/** @returns a row of `findable`: the keys, and the columns computed from the keys. */
export function toFindableValues(keys: string) {
  const found = unpackFindable(parseStored(keys));
  return {
    keys,
    score: Math.round(found.score * 10),
    names: formatNames(found),
    exactKeys: listKeys(found),
  };
}

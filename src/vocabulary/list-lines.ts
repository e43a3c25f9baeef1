/** Returns the lines of a list in seed/, without blank lines and comments. */
export function readListLines(list: string): readonly string[] {
  return list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

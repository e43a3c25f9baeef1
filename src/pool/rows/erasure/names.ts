/** Whether a text contains one of the names as a whole word: `al` is not in `manual`. */
export function isNamed(text: string, names: Iterable<string>): boolean {
  return [...names].some((name) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, "iu").test(text),
  );
}

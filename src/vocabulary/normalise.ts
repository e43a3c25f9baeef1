/**
 * Normalises a name for comparison: no case, accents or separators. `+`, `#` and `*` stay, and a leading dot becomes "dot", so
 * that C, C++, C#, F#, F* and .NET stay different. A final "js" is mostly removed, because React, ReactJS and React.js are the
 * same.
 * @returns "" for a text without letters, digits, `+`, `#` and `*`.
 */
export function normalise(text: string): string {
  const plain = compact(text);
  if (!plain.endsWith("js") || plain.length < 4) return plain;
  const stem = plain.slice(0, -2);
  return languages.has(stem) ? plain : stem;
}

function compact(text: string): string {
  return folded(text)
    .replace(/^\s*\.(?=\p{L})/u, "dot")
    .replace(/[^\p{L}\p{N}+#*]+/gu, "");
}

/** Splits a text into words of letters, digits, `+` and `#`, without stop words. Each word is listed once, in order. */
export function splitWords(text: string): string[] {
  const words =
    folded(text)
      .replace(/['’]s\b/g, "")
      .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? [];
  return [...new Set(words.filter((word) => !stopWords.has(word)))];
}

/** Returns the text in lower case without accents. `♯` becomes `#`. */
function folded(text: string): string {
  // ASCII has no accents.
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replaceAll("♯", "#")
    .toLowerCase();
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

const languages = new Set(
  "asm c coffee dart elm go java julia kotlin lua nim perl php python ruby rust scala swift type zig".split(
    " ",
  ),
);

const stopWords = new Set(
  (
    "a about all also am an and any are as at be but by can co com de do else etc ex for from has have he her his how " +
    "i if im in into is it its just like ll me more my no not of off on or our out re she so some such than that the " +
    "their them then there they this to too up us use used using via was we what when which who will with you your"
  ).split(" "),
);

/**
 * The form in which names are compared: no case, no accents, no separators. `+`, `#` and `*` stay, and a
 * leading dot becomes "dot", so that C, C++, C#, F#, F* and .NET stay apart. A closing "js" goes, because
 * people write React, ReactJS and React.js for one thing; not where the rest is a language of its own (Go, Lua).
 *
 * @returns "" for a text without letters, digits or those signs.
 */
export function normalise(text: string): string {
  const plain = isAscii(text) ? compactAscii(text) : compact(text);
  if (!plain.endsWith("js") || plain.length < 4) return plain;
  const stem = plain.slice(0, -2);
  return standAlone.has(stem) ? plain : stem;
}

/** The same as `compact`, several times faster; thousands of names pass here when the lists are read. */
function compactAscii(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\s*\.(?=[a-z])/, "dot")
    .replace(/[^a-z0-9+#*]+/g, "");
}

function compact(text: string): string {
  return folded(text)
    .replace(/^\s*\.(?=\p{L})/u, "dot")
    .replace(/[^\p{L}\p{N}+#*]+/gu, "");
}

/**
 * Words of a text for skills that the vocabulary does not know: folded, split at everything that is no letter,
 * digit, `+` or `#`, without words that say nothing; each once, in order.
 */
export function splitWords(text: string): string[] {
  const found =
    folded(text)
      .replace(/['’]s\b/g, "")
      .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? [];
  return [...new Set(found.filter((word) => !silent.has(word)))];
}

/** Lower case without accents; the musical sharp is a number sign to whoever types C♯. */
function folded(text: string): string {
  // Almost all names are plain ASCII, where the costly normalisation would change nothing.
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

const standAlone = new Set(
  "asm c coffee dart elm go java julia kotlin lua nim perl php python ruby rust scala swift type zig".split(
    " ",
  ),
);

const silent = new Set(
  (
    "a about all also am an and any are as at be but by can co com de do else etc ex for from has have he her his how " +
    "i if im in into is it its just like ll me more my no not of off on or our out re she so some such than that the " +
    "their them then there they this to too up us use used using via was we what when which who will with you your"
  ).split(" "),
);

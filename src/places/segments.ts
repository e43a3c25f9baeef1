import { foldPlaceName } from "./fold.ts";

/** A piece of a profile's text between separators. */
export interface Segment {
  readonly text: string;
  /** The separator before the segment: `multi` is `/`, `&` or "and", which may separate two places. */
  readonly joined: "start" | "comma" | "multi";
  /** The code of a country or subdivision, if the segment is a flag emoji. */
  readonly flag?: string;
}

/** Repairs damaged encoding in a profile's text, and cuts it into segments. */
export function cutSegments(text: string, isName: (text: string) => boolean): Segment[] {
  const segments: Segment[] = [];
  let joined: Segment["joined"] = "start";
  const whole = withoutAddresses(withEntities(withoutMojibake(text))).normalize("NFC");
  // Each gap becomes one space, because longer gaps would take the separators below quadratic time.
  const prepared = whole.replace(/\s+/g, (gap) => (gap.includes("\n") ? "\n" : " "));
  for (const piece of piecesOf(prepared, isName)) {
    if (isMulti.test(piece)) joined = "multi";
    else if (isComma.test(piece)) joined = joined === "multi" ? joined : "comma";
    else {
      const flag = flagCode(piece);
      const cleaned = flag ? piece : clean(piece);
      if (cleaned === "") continue;
      const entry = { text: cleaned, joined: segments.length === 0 ? "start" : joined } as const;
      segments.push(flag ? { ...entry, flag } : entry);
      joined = "comma";
    }
  }
  return segments;
}

/** Splits a text into separators and the pieces between. Names that contain a separator (`Trinidad & Tobago`) are not split. */
function piecesOf(text: string, isName: (text: string) => boolean): string[] {
  const atCommas = text.split(commas).filter(Boolean);
  return atCommas.flatMap((piece) => {
    if (isComma.test(piece) || isFlag.test(piece)) return [piece];
    const pieces = piece.split(multis).filter(Boolean);
    return pieces.length > 1 && isName(piece) ? [piece.replace(isMultiSign, " ")] : pieces;
  });
}

const isMultiSign = /[/|+\\]/g;
const flagPattern = "[\\u{1F1E6}-\\u{1F1FF}]{2}|\\u{1F3F4}[\\u{E0061}-\\u{E007A}]+\\u{E007F}";
const multi =
  "\\s?(?:[/|&+\\\\]+|<-+>|(?<![-=])[-=]+>|→|➡\\uFE0F?|↔\\uFE0F?|⇄|✈\\uFE0F?|\\s(?:and|or|und|et|y|e|i|og|och|ou|oder|vs\\.?|then|via|formerly|previously|prev\\.|originally|sometimes|currently|also)(?:\\s(?:in|from|at))?(?=\\s))\\s?";
const comma =
  '\\s?(?:[,;:()\\[\\]{}<>•·~@*"“”„«»，、。；：（）【】・_!#^=…]+|(?<=\\p{Script=Han})\\.|(?<=\\p{L}{4})\\.(?=\\s?\\p{L})|\\s[-–—−]+\\s?|[–—−]+|\\.\\.+|\\s\\.\\s|\\n)\\s?';
const commas = new RegExp(`(${flagPattern}|${comma})`, "u");
const multis = new RegExp(`(${multi})`, "u");
const isMulti = new RegExp(`^${multi}$`, "u");
const isComma = new RegExp(`^${comma}$`, "u");
const isFlag = new RegExp(`^(?:${flagPattern})$`, "u");

function flagCode(piece: string): string | undefined {
  if (!isFlag.test(piece)) return undefined;
  const points = [...piece].map((each) => each.codePointAt(0) ?? 0);
  if (points[0] === 0x1f3f4) {
    const code = points.slice(1, -1).map((point) => String.fromCharCode(point - 0xe0000));
    return `${code.slice(0, 2).join("")}-${code.slice(2).join("")}`.toUpperCase();
  }
  return points.map((point) => String.fromCharCode(point - 0x1f1e6 + 65)).join("");
}

/** Removes emoji, numbers such as postcodes, and replacement characters. */
function clean(piece: string): string {
  const plain = piece
    .replace(
      /\p{Extended_Pictographic}|\u{FE0F}|\u{20E3}|\p{Emoji_Modifier}|[\u{200B}-\u{200F}]/gu,
      " ",
    )
    .replace(/(?<=\p{L})[?\uFFFD](?=\p{L})/gu, "")
    .replace(/^[?\uFFFD](?=\p{Ll})/u, "")
    .replace(/\b\d[\d\s-]*\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return foldPlaceName(plain) === "" ? "" : plain;
}

function withoutAddresses(text: string): string {
  return text
    .replace(/\bhttps?:\/\/\S+/gi, " ")
    .replace(/(?<![^\s@])[^\s@]+@[^\s@]+\.\w{2,}/g, " ")
    .replace(/(?<![\w.])(?:\/[\w.-]+){2,}/g, " ")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, " ")
    .replace(/(?<=^|\s)@\w+/g, " ");
}

const entities: Record<string, string> = { amp: "&", nbsp: " ", lt: "<", gt: ">", quot: '"' };

function withEntities(text: string): string {
  return text
    .replace(/&(amp|nbsp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? " ")
    .replace(/&#(\d{2,6});/g, (_, code: string) => codePoint(Number(code)));
}

const codePoint = (code: number) =>
  code > 31 && code < 0x110000 ? String.fromCodePoint(code) : " ";

/** Repairs UTF-8 that was read as Windows-1252 (`MÃ¼nchen`). Other text is unchanged. */
function withoutMojibake(text: string): string {
  if (!/[ÂÃÄÅÐÑ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u.test(text)) return text;
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const byte = code < 0x100 ? code : windows1252.indexOf(letter) + 0x80;
    if (byte < 0x80 && code >= 0x100) return text;
    bytes.push(byte);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}

const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

/** Finds the words in a README that say what the project is. */

/** How many characters of a README are examined. */
const charactersRead = 12_000;
/** The most headings that may be the title. */
const titlesMax = 4;
/** The most characters of a sentence. */
const sentenceMax = 300;

/** @returns the title, a sentence that says what the project is, and a tagline, without markup. A missing text is empty. */
export function findDefinition(text: string, name: string) {
  const paragraphs = listParagraphs(removeMarkup(text.slice(0, charactersRead)));
  const titles = paragraphs
    .slice(0, titlesMax)
    .filter(({ isHeading, text }) => isHeading && !generalHeading.test(text))
    .map((heading) => heading.text);
  const isOfName = (heading: string) => heading.toLowerCase().includes(name.toLowerCase());
  // A heading that is a sentence is not a title.
  const title = titles.find(isOfName) ?? titles.find((one) => !isWhat.test(one)) ?? "";
  const prose = paragraphs.filter(({ isHeading, text }) => !isHeading && countWords(text) >= 4);
  const sentences = prose.flatMap(({ text }) => splitSentences(text).slice(0, 3));
  const names = listNames(`${name} ${title}`);
  const startsWithName = (sentence: string): boolean => {
    const [first = "", second = ""] = sentence.toLowerCase().split(/[^\p{L}\p{N}+#.-]+/u);
    return [first, second].some((word) => names.some((name) => word.startsWith(name)));
  };
  const others = sentences.filter(
    (one) => saysWhat.test(one) && !saysState.test(one) && !asks.test(one),
  );
  // The most reliable pattern comes first.
  const defining =
    sentences.find((one) => (isWhat.test(one) || equals.test(one)) && startsWithName(one)) ??
    sentences.find((one) => namedIsWhat.test(one)) ??
    others.find((one) => startsWithName(one)) ??
    others.find((one) => generalSubject.test(one));
  const standing = sentences.slice(0, 3).find((one) => tagline.test(one));
  const cut = (one = "") => one.slice(0, sentenceMax).replace(examples, "");
  return { title: cut(title), sentence: cut(defining), line: cut(standing) };
}

const equals = /^\S+( \S+)? ?[:–—-] (an?|the)\b/i;
const isWhat = /\b(is|are|was) (an?|the|now an?)\b/i;
const namedIsWhat =
  /^(the )?(?!(this|that|it|there|here|what|which|these|each|every|one|first)\b)\p{L}[\p{L}\p{N}.+#-]*( \([^()]{1,100}\))? (is|are) (an?|the)\b/iu;
/** Phrases that end the definition in a sentence. The text after `such as` or `written in` is about other things. */
const examples =
  /\b(like|such as|e\.g\.|for example|including|with (built-in|support)|compatible with|suitable for|between|across|written in|built (with|on)|inspired by|similar to|instead of|unlike|without)\b.*/i;
const saysWhat =
  /\b(is|are|was|provides?|implements?|offers?|aims?|lets?|helps?|allows?|enables?|contains?|builds?|brings?)\b/i;
/** The beginning of a sentence that speaks to the reader. */
const asks = /^(if|when|note|please|see|to|once|for)\b/i;
/** Words of sentences about licenses or maintenance. These sentences do not say what a project is. */
const saysState =
  /\b(licen[sc]ed|distributed under|copyright|deprecated|archived|support(s|ed)?|tested|maintained|required|located|linked|hosted|divided|accepted)\b/i;
const kinds =
  "project|repo(?:sitory)?|library|package|tool|framework|module|collection|app|application|client|server|plugin|extension|program|software|engine|kit|toolkit|system|platform|service|suite|crate|gem|scanner|compiler|interpreter|language|driver|game|emulator|simulator|editor|viewer|player|browser|layer|environment|implementation|bot|component|book|guide|tutorial|course|pipeline|database|store|cache|queue|broker|proxy|daemon|agent|monitor|generator|parser|wrapper|bindings?|model|stack|solver";
const generalSubject = new RegExp(`^(?:this|the|our|it|these)\\b.{0,40}\\b(?:${kinds})\\b`, "i");
const noLine =
  "this|that|these|previously|once|all|if|in|to|for|please|when|we|you|some|see|use|using|with|under";
/** A line that describes the project, such as "A fast DNS server" or "Data management framework for Python". */
const tagline = new RegExp(
  `^(?:an?|the|fast|simple|modern|open[- ]source|free|lightweight)\\s|^(?!(?:${noLine})\\b)(?:[\\p{L}\\d+#/.-]+ ){1,5}(?:${kinds})s?\\b`,
  "iu",
);
/** Headings of common sections. Such a heading is never the title. */
const generalHeading =
  /^\P{L}*(read ?me|about|overview|introduction|what is|features?|highlights|contact|install|getting started|quick ?start|usage|table of contents|contents|status|news|notice|deprecat|license|docs|documentation|requirements|build|download|support|contribut|pain points)/iu;

/** Lists the words of a title. A sentence about the project may begin with one of these words. */
function listNames(title: string): readonly string[] {
  return title
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#.-]+/u)
    .filter((word) => word.length > 1 && !/^(the|an?|of|for|and)$/.test(word));
}

function removeMarkup(text: string): string {
  return text
    .replace(/\r/g, "")
    .replace(/<!--[\s\S]{0,3000}?-->/g, " ")
    .replace(/^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm, "\n")
    .replace(/^ *\.\. +(\|[^|\n]+\| +)?[\w-]+::.*(\n[ \t]+.*)*/gm, "")
    .replace(/^\[[^\]\n]{1,200}\]:.*$/gm, "")
    .replace(/<\/?(p|div|h[1-6]|br|hr|li|td|tr|table|center)\b[^<>]{0,1000}>/gi, "\n\n")
    .replace(/<[^<>]{0,2000}>/g, " ")
    .replace(/!\[[^\]\n]{0,300}\](\([^()\n]{0,1000}\)|\[[^\]\n]{0,100}\])?/g, " ")
    .replace(/\[([^\][\n]{0,300})\](\([^()\n]{0,1000}\)|\[[^\]\n]{0,100}\])/g, "$1")
    .replace(/`([^`\n]{0,200}) <[^<>\n]{0,500}>`_+/g, "$1")
    .replace(/\b(https?:\/\/|www\.)\S+/g, " ")
    .replace(/\|[\w -]{1,60}\|/g, " ");
}

function listParagraphs(text: string) {
  const found: { readonly text: string; readonly isHeading: boolean }[] = [];
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line) || isRule(line));
    const rule = lines.findIndex((line, at) => at > 0 && isRule(line));
    const [first = ""] = lines.filter((line) => !isRule(line));
    const isMarked = /^#{1,6} /.test(first);
    if (isMarked || (rule > 0 && rule <= 2)) {
      found.push({ text: removeEmphasis(first.replace(/^#+ */, "")).trim(), isHeading: true });
      lines.splice(0, isMarked ? 1 : rule + 1);
    }
    // Skips lists, quotes and tables. The first item of a list after "Reed is:" is joined with that text instead.
    const before = found.at(-1);
    const item = /^\s*[-+*•]\s+(.*)/.exec(lines[0] ?? "")?.[1];
    if (item && before && /\b(is|are):$/.test(before.text)) {
      const text = `${before.text.slice(0, -1)} ${item.charAt(0).toLowerCase()}${item.slice(1)}`;
      found.push({ text, isHeading: false });
      continue;
    }
    if (/^\s*([-+*•>|]|\d+[.)])\s/.test(lines[0] ?? "")) continue;
    const rest = removeEmphasis(lines.filter((line) => !isRule(line)).join(" "))
      .replace(/\s+/g, " ")
      .trim();
    if (rest !== "") found.push({ text: rest, isHeading: false });
  }
  return found;
}

function removeEmphasis(text: string): string {
  return text.replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "");
}

function isRule(line: string): boolean {
  return /^\s*([=\-~*#^"+])\1{2,}\s*$/.test(line);
}

function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?:])\s+(?=[\p{Lu}\p{N}"'(])/u);
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

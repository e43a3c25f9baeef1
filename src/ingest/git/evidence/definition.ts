/** Finds the words in a README that say what the project is. */
import { cutDescription } from "./stated-description.ts";

/** How many characters of a README are examined. */
const charactersRead = 12_000;
/** The most headings that may be the title. */
const titlesMax = 4;
/** The most sentences of the introduction that say neither. */
const restMax = 8;
const sentenceMax = 300;

/**
 * Finds what a README says of its repository. Only the introduction is read (the text under the title, and sections such as
 * "About"), and sentences elsewhere that begin with the repository's name. What the README says of others is not about it.
 * @returns the title, a sentence that says what the project is, a tagline, and other sentences of the introduction, without markup.
 * A missing text is empty.
 */
export function findDefinition(text: string, name: string) {
  const paragraphs = listParagraphs(removeMarkup(text.slice(0, charactersRead)));
  const isOfName = (heading: string) => heading.toLowerCase().includes(name.toLowerCase());
  const titles = paragraphs
    .slice(0, titlesMax)
    .filter(({ isHeading, text }) => isHeading && !generalHeading.test(text))
    .map((heading) => heading.text);
  // A heading that is a sentence is not a title.
  const title = titles.find(isOfName) ?? titles.find((one) => !isWhat.test(one)) ?? "";
  let isIntroduction = true;
  const [introduction, others]: [string[], string[]] = [[], []];
  for (const { text, isHeading } of paragraphs) {
    if (isHeading) isIntroduction = text === title || isOfName(text) || about.test(text);
    else if (text.split(/\s+/).length >= 4) {
      (isIntroduction ? introduction : others).push(...text.split(sentenceEnd).slice(0, 3));
    }
  }
  const names = listNames(name, title);
  const startsWithName = (sentence: string): boolean => {
    const words = sentence.toLowerCase().replace(/^(the|a|package) /, "");
    return names.some((one) => words.startsWith(one));
  };
  const describes = (one: string) => saysWhat.test(one) && !saysState.test(one) && !asks.test(one);
  // The most reliable pattern comes first.
  const defining =
    introduction.find((one) => isWhat.test(one) && startsWithName(one)) ??
    introduction.find((one) => describes(one) && startsWithName(one)) ??
    others.find((one) => isWhat.test(one) && startsWithName(one)) ??
    introduction.find((one) => describes(one) && generalSubject.test(one)) ??
    "";
  const standing = introduction
    .slice(0, 3)
    .find((one) => one !== defining && tagline.test(one) && !isOfOthers.test(one));
  const cut = (one = "") => cutDescription(one.slice(0, sentenceMax));
  return {
    title: cut(title.replace(toNamePattern(name), "")),
    sentence: cut(defining.replace(/^.{0,80}?\b(is|are|was)\b/i, "")),
    line: cut(standing),
    rest: introduction.filter(isAbout).slice(0, restMax).map(cut),
  };
}

/** Matches a name of several words, such as `rocket-chip`: its words say nothing of what the project is. */
function toNamePattern(name: string): RegExp {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return new RegExp(words.length > 1 ? words.join("[^\\p{L}\\p{N}]") : "(?!)", "giu");
}

const isWhat = /\b(is|are|was) (an?|the|now an?)\b|^\S+( \S+)? ?[:–—-] (an?|the)\b/i;
const saysWhat =
  /\b(is|are|was|provides?|implements?|offers?|aims?|lets?|helps?|allows?|enables?|contains?|builds?|brings?)\b/i;
/** The beginning of a sentence that speaks to the reader. */
const asks = /^(if|then|when|note|please|see|to|once|for)\b/i;
/** Words of sentences about licenses or maintenance. These sentences do not say what a project is. */
const saysState =
  /\b(licen[sc]ed|distributed under|copyright|deprecated|archived|support(s|ed)?|tested|maintained|required|located|linked|hosted|divided|accepted|trademarks?)\b/i;
/** Whether a sentence speaks of the project, rather than of its makers or to the reader. */
const isAbout = (one: string) =>
  one.length <= sentenceMax &&
  /^(\S+\s+){4}/.test(one) &&
  ![asks, saysState, /\b(we|our)\b/i].some((of) => of.test(one));
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
/** A sentence that has the form of a tagline and speaks of other things, such as "Visual languages are a great thing". */
const isOfOthers = /^[^,.]{0,60}\bare\b|\brecommended\b|^there\b/i;
/** Headings of sections that say what the project is. */
const about =
  /^\P{L}*(read ?me|about|overview|introduction|what is|what's|description|summary|rationale|background)\b/iu;
/** Headings of common sections. Such a heading is never the title. */
const generalHeading =
  /^\P{L}*(read ?me|about|overview|introduction|what is|features?|highlights|contact|install|getting started|quick ?start|usage|table of contents|contents|status|news|notice|deprecat|license|docs|documentation|requirements|build|download|support|contribut|pain points)/iu;

/** Lists what a sentence about the project may begin with: words of its name and of the title before a colon or a dash. */
function listNames(name: string, title: string): readonly string[] {
  const [short = ""] = title.split(/\s[–—-]\s|[:|,(]/);
  return `${name} ${short}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word.length > 1 && !ordinary.test(word));
}

const ordinary = new RegExp(`^(?:the|an?|of|for|and|in|with|web|${kinds})$`);

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
    .replace(/\[([^\][\n]{0,300})\](\([^()\n]{0,1000}\)|\[[^\]\n]{0,100}\])?/g, "$1")
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
    const isTagline = before?.isHeading && /^\s*>\s*(?!\W*(note|warning|important|tip|caution))/i;
    const text = isTagline ? lines.map((line) => line.replace(isTagline, "")) : lines;
    if (/^\s*([-+*•>|]|\d+[.)])\s/.test(text[0] ?? "")) continue;
    const rest = removeEmphasis(text.filter((line) => !isRule(line)).join(" "))
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

const sentenceEnd = /(?<=[.!?:])\s+(?=[\p{Lu}\p{N}"'(])/u;

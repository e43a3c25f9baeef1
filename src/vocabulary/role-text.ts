/**
 * Reads the role of a request, and the programming languages that it names: "Java backend developer", "backend engineer (Go,
 * Rust)", "Golang engineer". Words of seniority are ignored.
 */
import { normalise } from "./normalise.ts";
import type { Role } from "./roles.ts";
import type { Skill } from "./skills.ts";
import { isAmbiguousName } from "./text-skills.ts";

export interface ReadRole {
  readonly role: Role | undefined;
  /** The languages named in the text, in order. */
  readonly languages: readonly Skill[];
  /** The words of seniority that were ignored. `rest` is the text without them. */
  readonly seniority: readonly string[];
  readonly rest: string;
}

interface RoleNames {
  findRole(text: string): Role | undefined;
  findLanguage(text: string): Skill | undefined;
}

/** Words for developers that do not tell the kind of work. */
const trade =
  /^(?:software |application )?(?:developers?|engineers?|programmers?|devs?|coders?|development|programming)$/;
/** Everyday words and letters that mean a language only beside a role, as in "Go developer". */
const meantBesideRole = /^(?:c|go|r|js|ts|swift|rust|dart|elixir|perl|php|sql)$/i;
/** Words of seniority. Some are also part of a role: "tech lead", "staff engineer". */
const senior =
  /(?<![\p{L}\p{N}])(?:(?:senior|junior|mid|middle|intermediate|entry|graduate|principal|staff|lead|experienced|seasoned)(?:[- ]?level)?|(?:sr|snr|jr|jnr)\b\.?|i{2,3}|iv)(?![\p{L}\p{N}])/giu;
const joining = /^(?:and|or|with|in|using|plus|[-–—&+/|])$/i;
const spanMax = 3;
/** Longer texts are sentences, which name no role. */
const wordsMax = 12;

export function createRoleReader({ findRole, findLanguage }: RoleNames) {
  return (text: string): ReadRole => {
    const whole = read(text);
    const plain = text.replace(senior, " ");
    if (whole.role || plain === text) return { ...whole, seniority: [], rest: text };
    const seniority = [...text.matchAll(senior)].map(([word]) => word.toLowerCase());
    return { ...read(plain), seniority, rest: plain.replace(/[\s,()]+/g, " ").trim() };
  };

  function read(text: string): Pick<ReadRole, "role" | "languages"> {
    const words = text.split(/[\s,;()[\]]+/).filter((word) => word !== "");
    const exact = findRole(text) ?? findRole(words.join(" "));
    if (words.length > wordsMax) return { role: exact, languages: [] };
    const { languages, rest } = takeLanguages(words, findLanguage);
    if (exact || languages.length === 0) return { role: exact, languages };
    const left = rest.join(" ");
    if (!trade.test(left.toLowerCase())) {
      const role = findRole(left);
      return role ? { role, languages } : { role: undefined, languages: [] };
    }
    // "Go engineer" has the role of "Go developer". With several languages, all must lead to the same role.
    const [role, ...others] = languages.map((language) => findTrade(language, findRole));
    return { role: others.every((other) => other === role) ? role : undefined, languages };
  }
}

function findTrade({ name, aliases }: Skill, findRole: RoleNames["findRole"]): Role | undefined {
  return [name, ...aliases].flatMap((each) => findRole(`${each} developer`) ?? [])[0];
}

function takeLanguages(words: readonly string[], findLanguage: RoleNames["findLanguage"]) {
  const languages: Skill[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const found = findSpan(words, at, findLanguage);
    if (found) {
      if (joining.test(rest.at(-1) ?? "")) rest.pop();
      languages.push(...found.languages);
      at += found.words;
      if (rest.length === 0 && joining.test(words[at] ?? "")) at += 1;
    } else {
      rest.push(words[at] as string);
      at += 1;
    }
  }
  return {
    languages: [...new Set(languages)],
    rest: rest.filter((word) => !/^[-–—&+/|]$/.test(word)),
  };
}

function findSpan(words: readonly string[], at: number, findLanguage: RoleNames["findLanguage"]) {
  for (let count = Math.min(spanMax, words.length - at); count > 0; count -= 1) {
    const language = findNamed(words.slice(at, at + count).join(" "), findLanguage);
    if (language) return { languages: [language], words: count };
  }
  // Reads "Java/Kotlin" if both parts are languages.
  const parts = (words[at] ?? "").split("/");
  const languages = parts.map((part) => findNamed(part, findLanguage));
  const isAll = parts.length > 1 && languages.every((language) => language !== undefined);
  return isAll ? { languages, words: 1 } : undefined;
}

function findNamed(text: string, findLanguage: RoleNames["findLanguage"]): Skill | undefined {
  if (normalise(text) === "") return undefined;
  if (isAmbiguousName(text) && !meantBesideRole.test(text)) return undefined;
  const found = findLanguage(text);
  // `findLanguage` also finds skills that are no languages.
  return found?.type === "language" ? found : undefined;
}

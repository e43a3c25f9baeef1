/** Assesses commit messages. A good message says what the commit changes, and why. */
import type { MessageFindings } from "../commit/stored-commit.ts";

export const messageWordsMin = 4;
export const bodyWordsMin = 3;
/** The fewest specific words after a prefix. One fewer is enough with a reason or a body. */
const preciseWordsMin = 3;

/** @param message as git stores it: first line, empty line, body. */
export function assessMessage(message: string): MessageFindings {
  const text = message.replaceAll("\r\n", "\n").replace(/^\n+/, "");
  const subject = getSubject(text);
  const body = bodyOf(text);
  const whole = body ? `${subject}\n${body}` : subject;
  const withBody = hasWords(body, bodyWordsMin);
  const withReference = reference.test(whole);
  const withReason = reason.test(whole);
  const isExplained = hasWords(whole, messageWordsMin) && (withBody || withReference || withReason);
  const [prefix = ""] = prefixForm.exec(subject) ?? [];
  const telling = subject.slice(prefix.length).replace(emptyWords, "");
  const isPrecise = prefix !== "" && (codeName.test(telling) || hasWords(telling, preciseWordsMin));
  const isSelfEvident = selfEvidentSubject.test(subject);
  const saysWhy = prefix
    ? isExplained && (withBody || hasWords(telling, preciseWordsMin - 1))
    : isExplained || isSelfEvident;
  const saysWhat = isSelfEvident || withBody || !problem.test(subject) || change.test(subject);
  return {
    semantic: semanticForm.test(subject),
    good: isPrecise || (saysWhy && saysWhat),
    withBody,
    withReference,
    withReason,
    isToolWritten: byTools.test(subject) || (body === "" && offered.test(subject)),
  };
}

export function getSubject(message: string): string {
  return (message.split("\n", 1)[0] ?? "").trimEnd();
}

/** Replaces what varies between the subjects of automatic commits: numbers, versions, hashes, quoted names, paths, packages. */
export function toSubjectTemplate(subject: string): string {
  const plain = subject
    .toLowerCase()
    .replace(/["'`][^"'`]*["'`]/g, "_")
    .replace(/\S+/g, (word) => (/[\d/@_.#]/.test(word) ? "_" : word));
  return plain.replace(/\b(bump|update|upgrade|pin) (dependency )?\S+/g, "$1 _").slice(0, 80);
}

export function isRevert(message: string): boolean {
  return /^(Revert "|revert(\([^()\r\n]*\))?!?: )|^This reverts commit [0-9a-f]{7,64}/m.test(
    message,
  );
}

/** Subjects in the form of Conventional Commits, as commitlint checks them. */
const semanticForm =
  /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^()\r\n]*\))?!?: \S/;

/** What many projects put before a subject: an area as in `net/ipv4: ` and `[vim] `, or a type as in `fix(db): `. */
const prefixForm = /^(?:(?:\[[a-z][a-z ,_/-]*\]:?|[\w./*{},+-]+ ?(?:\([^()]*\))?!?:(?![/:])) ?)+/i;

/** Names of files and issues, and words that say nothing about a change. */
const emptyWords =
  /(?<!\S)\S{1,200}\.[a-z]\w{0,4}(?![\w(])|(?<!\S)\S{1,200}\/(?=\s|$)|(?<!\S)\S{0,200}#\d+|\b((updat|fix|chang|add|improv|clean|tweak)(e?[sd]?|ing)|minor|some|more|misc|an?|the|of|in|for|to|and|with|files?|code|docs?|readme|changelog|tests?|wip|details?)\b/gi;

/** Names out of code: `vfs_fat`, `copyPage`, `--since`, `probe()`. */
const codeName = /\w_\w|[a-z][A-Z]|\B-\w|\w\(/;

const reference =
  /(^|[\s([])(#\d+|[\w.-]+\/[\w.-]+#\d+|GH-\d+|[A-Z][A-Z0-9]+-\d+)\b|https?:\/\/\S+|\b(commit|bug|issue|ticket|PR) #?[0-9a-f]{3,}/i;

/** Words that state a purpose, or the problem that the change solves. A bare "fix" does neither. */
const reason = new RegExp(
  `\\b(${[
    "because|since|so that|in order to|due to|as (it|this|we|they|the)|otherwise|therefore|thus|hence",
    "to (avoid|prevent|allow|make|ensure|support|fix|keep|enable|reduce|improve|handle|let|help|be|not|get|match|use|work)",
    "problem|bug|broken|wrong|fail(s|ed|ure|ing)?|race|leak|crash|deadlock|incorrect|flaky|missing",
    "unused|unnecessary|redundant|deprecated|obsolete|duplicated?|confusing|useless|typo|warning",
    "simpl\\w+|easier|faster|slow|useful|better|improve\\w*",
  ].join("|")})\\b`,
  "i",
);

/** Subjects of changes whose reason is obvious: releases, release notes, spelling, tests, cleaning up. */
const selfEvidentSubject = new RegExp(
  `\\b(${[
    "release ?notes?|releas(e|ing)|snapshot|version|bump(s|ed|ing)?|upgrade[ds]?|dependenc(y|ies)",
    "read ?me|change(log|s\\.md)|contribut(ors?|ing)|acknowledge?ments?|logos?|copyrights?|licen[sc]es?",
    "spelling|misspell\\w*|typos?|white ?space|spaces|indent\\w*|comments?|docs?|i18n",
    "unit tests?|tests? for|add(s|ed|ing)? (\\w+ ){0,2}tests?|test coverage",
    "todo|clean(s|ed|ing)?[- ]?ups?|refactor\\w*|polish\\w*",
  ].join("|")})\\b`,
  "i",
);

/** Subjects about a fix or a problem. Their messages must also say what was changed. */
const problem = new RegExp(
  `^\\W*(\\[[^[\\]]*\\]\\s*)?(bug ?)?fix(es|ed|ing)?\\b|\\b(${[
    "do(es)? ?n[o']t|not work\\w*|cannot|can't|could(n't| not)|should|is now|wrong|incorrect",
    "fail(s|ed|ing)?|null ?pointer\\w*|NPE|exceptions?|errors?|crash\\w*|leaks?|problems?|issues?",
  ].join("|")})\\b`,
  "i",
);

const change = new RegExp(
  `\\b(${[
    "add|remove|delete|drop|use|make|move|replace|rename|change|update|upgrade|convert|switch|set",
    "extract|introduce|create|implement|wrap|split|merge|mark|refactor|simplify|enable|disable",
    "allow|support|return|avoid|prevent|skip|ignore|call|check|throw|catch|close|handle",
  ].join("|")})(s|d|ed|es|ing|ped|ting)?\\b`,
  "i",
);

/** Lines that tools append to messages: trailers, and remains of conversions from other systems. */
const appended = new RegExp(
  `^(${[
    "[a-z]\\w*(?:-\\w+)+:(?:\\s|$)|(?:cc|reviewers|differential revision|translation):",
    "\\[(ci skip|skip ci)\\]|---+$|#|\\(cherry picked from commit |conflicts:$|- dependency-name",
    "currently translated at |(?:\\p{Extended_Pictographic}\\ufe0f? )?generated (?:with|by) ",
  ].join("|")})`,
  "iu",
);

/** A conventional type and scope, which tools may put before their messages. */
const scope = "(?:\\w+(?:\\([^()]*\\))?!?: )?";

/** Beginnings of subjects that tools write. */
const byTools = new RegExp(
  `^(?:${[
    // Messages of Weblate, Transifex, Crowdin, Pontoon and Launchpad.
    `${scope}(?:Translated|Added translation|Added|Deleted translation|Update translation files) using Weblate`,
    "Translate \\S+ in \\w+$|Apply translations in \\w+|Updates for file \\S+ in \\w+",
    `${scope}New (?:Crowdin )?(?:translations|updates)\\b|Update source file \\S+$`,
    "Pontoon(?:/[^:]*)?: |Launchpad automatic translations update|(?:\\[ci skip\\] )?Translation update",
    // Messages of Dependabot, Renovate, Greenkeeper, Snyk and pre-commit.ci.
    `${scope}bump (?:\\S+ from \\S+ to \\S|the \\S+ group\\b)`,
    `${scope}update (?:dependency|module) \\S+ to |${scope}update \\S+ (?:\\S+ )?(?:monorepo|action|digest|docker tag|packages) to `,
    `${scope}(?:lock file maintenance|pin dependenc|update all non-major dependencies)|(?:chore|fix)\\(package\\): update `,
    `\\[Snyk\\]|\\[pre-commit\\.ci\\]|\\[autofix\\.ci\\]|Automated Changelog Entry|${scope}pre-commit auto(?:fix|update)`,
    // Messages of release tools: Maven, Gradle, semantic-release, release-please, changesets, bumpversion, Mercurial.
    "\\[maven-release-plugin\\]|\\[Gradle Release Plugin\\]|Bump version: \\S+ → |\\(cargo-release\\)",
    "chore\\([\\w.-]+\\): release \\S+(?: \\(#\\d+\\))?$|chore\\(release\\): v?\\d|Version Packages\\b|Added tag \\S+ for changeset",
    // Messages of git and forges.
    "Merge (?:branch|pull request|remote-tracking branch|tag|commit|request|#)|Merged in |Auto merge of #|Rollup merge of #",
    "Backport PR #|\\[Backport [^\\]]*\\]|(?:fixup|squash|amend)! |This commit was manufactured by cvs2svn",
    "Apply (?:suggestions? from |\\d+ suggestion)|docs: add \\S+ as a contributor",
  ].join("|")})`,
  "i",
);

/** Complete messages that web editors and release commands suggest. */
const offered = new RegExp(
  `^(?:${[
    "(?:Update|Create|Delete) (?:file )?[^\\s./]*[./]\\S*|Rename \\S+ to \\S+|Add files via upload|Add new file|Upload New File",
    "\\S+ (?:edited|created|deleted) online with Bitbucket|Initial commit|v?\\d+(?:\\.\\d+){1,3}(?:-[\\w.]+)?|Publish(?: v?[\\d.]+)?",
  ].join("|")})(?: \\(#\\d+\\))?$`,
);

function bodyOf(message: string): string {
  const [, ...lines] = message.split("\n");
  return lines.filter((line) => line.trim() && !appended.test(line.trim())).join("\n");
}

function hasWords(text: string, wordsMin: number): boolean {
  const words = text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu);
  return words.take(wordsMin).toArray().length === wordsMin;
}

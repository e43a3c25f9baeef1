/**
 * What a commit message tells. The semantic form is the one of the API's figure, to the letter; a
 * message is good when it says more than what changed: a reason, a reference or a body, in four words or more.
 */

export interface MessageFindings {
  /** The first line has the conventional form. */
  readonly semantic: boolean;
  readonly good: boolean;
  readonly withBody: boolean;
  readonly withReference: boolean;
  readonly withReason: boolean;
}

/** @param message as git keeps it: first line, empty line, body. */
export function judgeMessage(message: string): MessageFindings {
  const text = message.replaceAll("\r\n", "\n").replace(/^\n+/, "");
  const subject = subjectOf(text);
  const body = bodyOf(text);
  const whole = body ? `${subject}\n${body}` : subject;
  const withBody = countWords(body) >= bodyWordsMin;
  const withReference = reference.test(whole);
  const withReason = reason.test(whole);
  const longEnough = countWords(whole) >= wordsMin;
  return {
    semantic: semanticForm.test(subject),
    good: longEnough && (withBody || withReference || withReason),
    withBody,
    withReference,
    withReason,
  };
}

export function subjectOf(message: string): string {
  const end = message.indexOf("\n");
  return (end === -1 ? message : message.slice(0, end)).trimEnd();
}

/**
 * A subject without what differs from one automatic commit to the next: numbers, versions, hashes,
 * quoted names, paths and package names.
 */
export function templateOf(subject: string): string {
  return subject
    .toLowerCase()
    .replace(/["'`][^"'`]*["'`]/g, "_")
    .replace(/\S*[\d/@_.#]\S*/g, "_")
    .replace(/\b(bump|update|upgrade|pin) (dependency )?\S+/g, "$1 _")
    .slice(0, 80);
}

/** Undoes another commit, by git's own wording or the conventional type. */
export function isRevert(message: string): boolean {
  return /^(Revert "|revert(\([^()\r\n]*\))?!?: )|^This reverts commit [0-9a-f]{7,64}/m.test(
    message,
  );
}

/** Source: analysis.md, "Commits"; equals commitlint's type-enum, type-empty and subject-empty. */
const semanticForm =
  /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^()\r\n]*\))?!?: \S/;

const wordsMin = 4;
const bodyWordsMin = 3;

const reference =
  /(^|[\s([])(#\d+|[\w.-]+\/[\w.-]+#\d+|GH-\d+|[A-Z][A-Z0-9]+-\d+)\b|https?:\/\/\S+|\b(commit|bug|issue|ticket|PR) #?[0-9a-f]{3,}/i;

/** Says what for, or names the trouble that the change answers. A bare "fix" says neither. */
const reason = new RegExp(
  `\\b(${[
    "because|since|so that|in order to|due to|as (it|this|we|they|the)|otherwise|therefore|thus|hence",
    "to (avoid|prevent|allow|make|ensure|support|fix|keep|enable|reduce|improve|handle|let|help|be|not|get|match|use|work)",
    "for (better|consistency|compatib\\w+|clarity|performance|readab\\w+|safety)",
    "problem|bug|broken|wrong|fail(s|ed|ure|ing)?|race|leak|crash|deadlock|incorrect|flaky|missing",
    "unused|unnecessary|redundant|deprecated|obsolete|duplicated?|confusing|useless|typo|warning",
    "simpl\\w+|easier|faster|slow|useful|better|improve\\w*",
  ].join("|")})\\b`,
  "i",
);

/** Trailers and what conversions append: written by tools, not told by the author. */
const appended =
  /^(git-svn-id:|(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|cc|change-id|reported-by|suggested-by|approved-by|reviewers|differential revision|bug-url|pull-request|part-of):|\[ci skip\]|---+$|#)/i;

function bodyOf(message: string): string {
  const end = message.indexOf("\n");
  if (end === -1) return "";
  return message
    .slice(end + 1)
    .split("\n")
    .filter((line) => line.trim() && !appended.test(line.trim()))
    .join("\n");
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu)?.length ?? 0;
}

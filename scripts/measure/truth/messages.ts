import {
  assessMessage,
  type MessageRule,
  shippedRule,
} from "../../../src/ingest/git/read/assess-message.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { atLeast, atMost, type Row } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "The rule for good messages, against labelled ones.",
  takes: "FILE",
  run: ({ paths: [file = ""] }) => truthOfMessages(file),
});

/**
 * Compares the rule for good messages with labelled ones: JSON lines with `project`, `label` and `message`. The label
 * `why_and_what` is good and every other is not.
 *
 * `messages.mcc` is Matthews' correlation over all held-out messages of five folds. On the other four folds only the
 * rule's parameters are fitted (48 combinations: the least words and body words, and whether self-evident changes and a
 * named change count), but not its cues. The n-th message of a project is in fold n modulo 5. `messages.mcc.shipped` and
 * the share errors are those of the shipped rule.
 */
export async function truthOfMessages(file: string): Promise<Findings> {
  const messages = await readLabelled(file);
  const heldOut = crossValidate(messages);
  const shipped = messages.map(({ message }) => assessMessage(message, shippedRule).good);
  const projects = [...new Set(messages.map(({ project }) => project))].sort();
  const good = messages.map((message) => message.good);
  const misses = messages.flatMap(({ project, good: label, message }, at) =>
    label === shipped[at]
      ? []
      : [`${project}, labelled ${label ? "good" : "not good"}: ${JSON.stringify(message)}`],
  );
  return {
    rows: [
      atLeast(0.3, { name: "messages.mcc", value: correlation(heldOut.verdicts, good) }),
      atLeast(0.3, { name: "messages.mcc.shipped", value: correlation(shipped, good) }),
      ...projects.map((project) => shareError(project, messages, shipped)),
    ],
    counts:
      `${messages.length} messages of ${projects.length} projects; ` +
      `the choices that the folds made: ${heldOut.choices.join("; ")}`,
    misses,
  };
}

interface Labelled {
  readonly project: string;
  readonly message: string;
  readonly good: boolean;
  readonly fold: number;
}

const folds = 5;

async function readLabelled(file: string): Promise<Labelled[]> {
  if (!(await Bun.file(file).exists())) throw new UnusableInput(`${file}: no such file`);
  const lines = (await Bun.file(file).text()).split("\n");
  const counts = new Map<string, number>();
  const messages = lines.flatMap((line, at): Labelled[] => {
    if (!line.trim()) return [];
    const { project, label, message } = asRecord(line, `${file}:${at + 1}`);
    const before = counts.get(project) ?? 0;
    counts.set(project, before + 1);
    return [{ project, message, good: label === "why_and_what", fold: before % folds }];
  });
  if (messages.length === 0) throw new UnusableInput(`${file}: has no messages`);
  return messages;
}

function asRecord(line: string, where: string) {
  const problem = new UnusableInput(
    `${where}: a JSON object with the texts "project", "label" and "message" is needed`,
  );
  try {
    const { project, label, message } = JSON.parse(line) as Record<string, unknown>;
    if (typeof project !== "string" || typeof label !== "string" || typeof message !== "string") {
      throw problem;
    }
    return { project, label, message };
  } catch {
    throw problem;
  }
}

/** Every combination of the rule's parameters. The shipped one is first, so that it wins a draw. */
const choices: readonly MessageRule[] = [
  shippedRule,
  ...[3, 4, 5, 6].flatMap((wordsMin) =>
    [3, 6, 12].flatMap((bodyWordsMin) =>
      [true, false].flatMap((isSelfEvident) =>
        [true, false].map((shouldSayWhat) => ({
          wordsMin,
          bodyWordsMin,
          isSelfEvident,
          shouldSayWhat,
        })),
      ),
    ),
  ),
];

function crossValidate(messages: readonly Labelled[]) {
  const good = messages.map((message) => message.good);
  const judged = choices.map((rule) =>
    messages.map(({ message }) => assessMessage(message, rule).good),
  );
  const verdicts: boolean[] = [];
  const chosen: string[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const training = (_: unknown, at: number): boolean => messages[at]?.fold !== fold;
    const scores = judged.map((all) => correlation(all.filter(training), good.filter(training)));
    const best = scores.indexOf(Math.max(...scores));
    chosen.push(inWords(choices[best] ?? shippedRule));
    for (const [at, message] of messages.entries()) {
      if (message.fold === fold) verdicts[at] = judged[best]?.[at] ?? false;
    }
  }
  return { verdicts, choices: chosen };
}

function inWords({ wordsMin, bodyWordsMin, isSelfEvident, shouldSayWhat }: MessageRule): string {
  return `${wordsMin} words, body ${bodyWordsMin}, self-evident ${isSelfEvident}, what ${shouldSayWhat}`;
}

/** @returns Matthews' correlation coefficient; 0 where one side is constant. */
export function correlation(verdicts: readonly boolean[], labels: readonly boolean[]): number {
  let [bothGood, onlyVerdict, onlyLabel, neither] = [0, 0, 0, 0];
  for (const [at, verdict] of verdicts.entries()) {
    if (verdict && labels[at]) bothGood += 1;
    else if (verdict) onlyVerdict += 1;
    else if (labels[at]) onlyLabel += 1;
    else neither += 1;
  }
  const product =
    (bothGood + onlyVerdict) *
    (bothGood + onlyLabel) *
    (neither + onlyVerdict) *
    (neither + onlyLabel);
  return product === 0 ? 0 : (bothGood * neither - onlyVerdict * onlyLabel) / Math.sqrt(product);
}

function shareError(
  project: string,
  messages: readonly Labelled[],
  verdicts: readonly boolean[],
): Row {
  let [all, labelled, judged] = [0, 0, 0];
  for (const [at, message] of messages.entries()) {
    if (message.project !== project) continue;
    all += 1;
    if (message.good) labelled += 1;
    if (verdicts[at]) judged += 1;
  }
  const value = Math.abs(judged - labelled) / all;
  return atMost(0.15, { name: `messages.share-error.${project}`, value });
}

/**
 * Suggests owners for a CODEOWNERS file from the measured knowledge. It adds rows for uncovered folders, and changes rows that
 * the history contradicts.
 */
import { formatUtcDay } from "../../contract/people/history-end.ts";
import {
  formatOwnerWord,
  type GoneOwner,
  hasTeam,
  type KnowingOwner,
  type OwnersProposal,
  type PresentOwners,
  type ProposedChange,
} from "../../contract/people/owners-proposal.ts";
import type { KnownRule } from "../../contract/people/ownership-rule.ts";
import type { AuthorshipHead } from "../../pool/pool.ts";
import { sumKnowers } from "../file-knowers.ts";
import type { Knowledge } from "../measure-knowledge.ts";
import { findLastDays, measureOwnership } from "./measure-ownership.ts";
import { listFoldersAbove } from "./ownership.ts";
import { groupFiles, type OwnershipDrift } from "./ownership-drift.ts";
import { type ListKnowers, selectFolders, selectUnowned } from "./select-folders.ts";

interface SuggestionContext {
  readonly head: AuthorshipHead;
  /** The knowledge of the whole repository. */
  readonly knowledge: Knowledge;
  /** Numbers of authors without a known account, as in `KnownOwnership`. */
  readonly accountless: readonly number[];
  /** UTC days since 1970, also for `sinceDay`. */
  readonly asOfDay: number;
  /** People without work in the repository since this day count as having left. */
  readonly sinceDay: number;
  /** Lower-cased logins of people to treat as having left. */
  readonly leaving: ReadonlySet<string>;
}

/** The smallest share of a suggested owner. docs/ingest.md has the measurements behind it. */
const shareMin = 0.25;
const ownersMax = 3;
/** Matches paths of test data. Test data does not show who can answer questions. */
const testData = /(^|\/)_*(test[-_]?data|fixtures?|snapshots?|golden)_*\//i;
const commitsMin = 3;

/** @returns a function that suggests changes of a CODEOWNERS file. */
export function createOwnerSuggestions(
  context: SuggestionContext,
): (present: PresentOwners) => OwnersProposal<KnowingOwner> {
  const { head, knowledge, asOfDay, sinceDay, leaving } = context;
  const { people, files, knowers } = knowledge;
  const lastOf = findLastDays(head, people, asOfDay);
  let present: PresentOwners | undefined;
  const hasLeft = (login: string) =>
    leaving.has(login) ||
    (!present?.recent?.has(login) && (lastOf.get(login) ?? Number.POSITIVE_INFINITY) < sinceDay);
  const listKnowers: ListKnowers = (numbers) =>
    sumKnowers(numbers.flatMap((at) => knowers[at] ?? []))
      .filter(({ share }) => share >= shareMin)
      .map(({ person, share }) => ({ ...people[person], share }))
      .flatMap(({ login = "", commits = 0, share }) =>
        commits < commitsMin || hasLeft(login) ? [] : [{ login, share }],
      )
      .slice(0, ownersMax);
  const weigh = (numbers: readonly number[]) =>
    numbers.reduce((weight, at) => weight + (knowers[at]?.lines ?? 0) + 1, 0);
  const judge = createRowJudge({ ...context, hasLeft, lastOf, listKnowers });
  const paths = files.map(({ path }) => path);
  const numbers = [...paths.keys()].filter((at) => !testData.test(paths[at] ?? ""));
  const weightOf = new Map<string, number>();
  for (const at of numbers) {
    const weight = weigh([at]);
    for (const folder of listFoldersAbove(paths[at] ?? "")) {
      weightOf.set(folder, (weightOf.get(folder) ?? 0) + weight);
    }
  }
  return (given) => {
    present = given;
    const { isOpen, isHeld } = findOpenFiles(present, paths);
    const tree = { ...present, paths, weigh, weightOf, listKnowers, isHeld };
    const open = numbers.filter(isOpen);
    const unowned = selectUnowned(tree, numbers, open);
    const selected = selectFolders(tree, open);
    return { asOf: formatUtcDay(asOfDay), ...selected, unowned, changes: judge(present) };
  };
}

interface OpenFiles {
  /** Whether no row covers the file with this number. */
  readonly isOpen: (at: number) => boolean;
  /**
   * Whether the folder contains a file that a row in a section covers. A row outside the section would also apply to that file.
   */
  readonly isHeld: (folder: string) => boolean;
}

/** Finds the files that no row covers. A row without owners and an exclusion also cover files. */
function findOpenFiles({ file, rules }: PresentOwners, paths: readonly string[]): OpenFiles {
  const stated = rules.map(({ isExclusion: _, ...rule }) => rule);
  const numbers = new Set(paths.keys());
  const held = new Set<string>();
  for (const part of groupFiles(stated, paths)) {
    for (const at of part.files) numbers.delete(at);
    if (part.rules.every((rule) => rules[rule]?.section === undefined)) continue;
    for (const at of part.files)
      for (const folder of listFoldersAbove(paths[at] ?? "")) held.add(folder);
  }
  numbers.delete(paths.indexOf(file));
  return { isOpen: (at) => numbers.has(at), isHeld: (folder) => held.has(folder) };
}

interface RowContext extends SuggestionContext {
  readonly hasLeft: (login: string) => boolean;
  readonly lastOf: ReadonlyMap<string, number>;
  readonly listKnowers: ListKnowers;
}

/** Creates a function that judges rows. It skips rows that match no file, because the history cannot contradict them. */
function createRowJudge(context: RowContext) {
  const { head, knowledge, accountless, asOfDay, hasLeft, lastOf, leaving } = context;
  const paths = knowledge.files.map(({ path }) => path);
  const explain = (login: string, drift: OwnershipDrift | undefined) => {
    if (leaving.has(login)) return { reason: "as if they had left", hasLeft: true };
    const last = lastOf.get(login);
    if (hasLeft(login) && last)
      return { reason: `no work in the repository since ${formatUtcDay(last)}`, hasLeft: true };
    const here = drift?.departed.find((one) => one.login === login)?.knower?.lastDay;
    return here && { reason: `no change of these files since ${here}`, hasLeft: false };
  };
  return ({ rules, recent }: PresentOwners): readonly ProposedChange<KnowingOwner>[] => {
    const parts = groupFiles(rules, paths);
    const measured = measureOwnership({
      ...{ head, knowledge, parts, asOfDay, within: [""] },
      ownership: { rules, accountless },
    });
    const driftOf = new Map(measured?.drifting.map((drift) => [drift.rule, drift]));
    return rules.flatMap((rule, number): readonly ProposedChange<KnowingOwner>[] => {
      const held = parts.filter((part) => part.rules.includes(number));
      if (held.length === 0) return [];
      const drift = driftOf.get(rule);
      const gone = rule.owners.flatMap((owner): readonly GoneOwner[] => {
        const why = owner.person && explain(owner.person, drift);
        const word = formatOwnerWord(owner).replace(/^@?/, "@").toLowerCase();
        return why && (why.hasLeft || !recent?.has(word)) ? [{ owner, ...why }] : [];
      });
      const knowing = () => context.listKnowers(held.flatMap(({ files }) => files));
      const joining = listJoining(rule, { gone, drift, hasLeft, knowing });
      return gone.length + joining.length > 0 ? [{ rule, gone, joining }] : [];
    });
  };
}

/** Lists people to add to a row. A row with a team gets no one, because people may be members of the team. */
function listJoining(
  rule: KnownRule,
  row: {
    readonly gone: readonly GoneOwner[];
    readonly drift: OwnershipDrift | undefined;
    readonly hasLeft: (login: string) => boolean;
    readonly knowing: () => readonly KnowingOwner[];
  },
): readonly KnowingOwner[] {
  if (hasTeam(rule)) return [];
  const unnamed = (row.drift?.unnamed ?? [])
    .filter(({ login }) => !row.hasLeft(login))
    .map(({ login, share }) => ({ login, share }));
  if (unnamed.length > 0 || row.gone.length === 0) return unnamed;
  const stays = rule.owners.length > row.gone.length;
  return stays ? [] : row.knowing().slice(0, 1);
}

import { readShippedModel } from "../../../src/analysis/model.ts";
import { rankReviewers } from "../../../src/knowledge/rank-reviewers.ts";
import { selectChange } from "../../../src/knowledge/select-change.ts";
import type { KnownRepository, Pool } from "../../../src/pool/pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { createRandom } from "../../../test/random.ts";
import { ingestPool } from "../ingested-pool.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import {
  countCommits,
  type ReviewedChange,
  type ReviewedHistory,
  readReviewedHistory,
} from "../review-methods.ts";
import { atLeast, atMost, toShare } from "../rows.ts";

const yearDays = 365;
/** Wider changes are sweeps, which nobody reviews for what they know of the files. */
const filesMax = 100;
const named = 3;
/** Of the namings; below it chance decides how often somebody really reviewed. */
const namingsMin = 10;

export const measurement = defineMeasurement({
  about: "Who really reviewed the changes of the last year, against commits to the files.",
  takes: "PATH...",
  options: { changes: 150, seed: 1 },
  run: ({ paths, ...draws }) => truthOfReviewers(paths, draws),
});

const methods = ["roster", "best first", "commits"] as const;
type Method = (typeof methods)[number];

/** By method: the first people whom it names for a change, its author left out. */
type Named = Readonly<Record<Method, readonly string[]>>;

interface Judged {
  readonly repository: string;
  readonly change: ReviewedChange;
  readonly named: Named;
}

/**
 * Draws changes of the last year of each history whose trailers name a reviewer, and asks each method who should review them,
 * as of the day before. A method finds a change if a real reviewer is among its first three people.
 * @param paths clones or bare mirrors.
 */
async function truthOfReviewers(
  paths: readonly string[],
  { changes, seed }: { readonly changes: number; readonly seed: number },
): Promise<Findings> {
  const draw = createRandom(seed);
  const judged: Judged[] = [];
  const mostNamed = new Map<string, number>();
  for (const place of repositoriesAt(paths)) {
    const today = new Date().toISOString().slice(0, 10);
    const pool = await ingestPool([place], createVocabulary(), today);
    try {
      const { name, own, reviewed } = await judgeRepository({ pool, place, draw, changes });
      judged.push(...own);
      mostNamed.set(name, findMostNamed(own, reviewed));
    } finally {
      await pool.close();
    }
  }
  return {
    listing: [
      "method            real reviewer in first 1      2      3",
      ...methods.map((method) =>
        [method.padEnd(42), ...[1, 2, 3].map((most) => shareOf(judged, method, most).toFixed(3))]
          .join(" ")
          .trimEnd(),
      ),
    ],
    parts: [...mostNamed].map(([name, most]) => {
      const own = judged.filter(({ repository }) => repository === name);
      return {
        name,
        rows: [
          ...methods.map((method) => ({
            name: `reviewers.${method.replace(" ", "-")}`,
            value: shareOf(own, method, named),
          })),
          { name: "reviewers.named-to-real", value: most },
        ],
      };
    }),
    rows: [
      ...methods.map((method) => ({
        name: `reviewers.${method.replace(" ", "-")}`,
        value: shareOf(judged, method, named),
      })),
      // The lower end of what 95 of 100 draws of these changes would show.
      ...(["roster", "best first"] as const).map((own) =>
        atLeast(0.001, {
          name: `reviewers.${own.replace(" ", "-")}.beyond.commits`,
          value: findLeastMargin(judged, [own, "commits"], draw),
        }),
      ),
      atMost(2, { name: "reviewers.named-to-real", value: Math.max(...mostNamed.values()) }),
      toShare("reviewers.author-named", judged.filter(isAuthorNamed).length, judged.length),
    ],
    counts: `${judged.length} reviewed changes of ${mostNamed.size} repositories`,
    misses: judged.flatMap(({ repository, change: { reviewers, commit }, named: { roster } }) =>
      roster.some((login) => reviewers.includes(login))
        ? []
        : [`${repository} ${commit}: ${reviewers.join(", ")}; ours ${roster.join(", ")}`],
    ),
  };
}

function isFound({ change, named: given }: Judged, method: Method, most: number): boolean {
  return given[method].slice(0, most).some((login) => change.reviewers.includes(login));
}

function shareOf(judged: readonly Judged[], method: Method, most: number): number {
  return toShare("", judged.filter((one) => isFound(one, method, most)).length, judged.length)
    .value;
}

const isAuthorNamed = ({ change, named: given }: Judged) =>
  methods.some((method) => given[method].includes(change.author));

/** @returns the 2.5th percentile of the difference of two methods, over changes drawn again. */
function findLeastMargin(
  judged: readonly Judged[],
  [own, rival]: readonly [Method, Method],
  draw: () => number,
): number {
  const differences = judged.map(
    (one) => Number(isFound(one, own, named)) - Number(isFound(one, rival, named)),
  );
  const means = Array.from({ length: 1000 }, () => {
    let sum = 0;
    for (let at = 0; at < differences.length; at++) {
      sum += differences[Math.floor(draw() * differences.length)] ?? 0;
    }
    return sum / differences.length;
  });
  return means.sort((a, b) => a - b)[25] ?? 0;
}

/**
 * @param reviewed all reviewed changes of the year.
 * @returns of one repository: how much larger somebody's part of the namings is than of the reviews, at most.
 */
function findMostNamed(judged: readonly Judged[], reviewed: readonly ReviewedChange[]): number {
  const namings = countAll(judged.flatMap(({ named: { roster } }) => roster));
  const reviews = countAll(reviewed.flatMap(({ reviewers }) => reviewers));
  const ratios = [...namings.counts].flatMap(([login, count]) => {
    // Somebody who did not review in the year counts as with one review.
    const real = Math.max(1, reviews.counts.get(login) ?? 0) / reviews.all;
    return count < namingsMin ? [] : [count / namings.all / real];
  });
  return Math.max(0, ...ratios);
}

function countAll(logins: readonly string[]) {
  const counts = new Map<string, number>();
  for (const login of logins) counts.set(login, (counts.get(login) ?? 0) + 1);
  return { counts, all: Math.max(1, logins.length) };
}

interface Judging {
  readonly pool: Pool;
  readonly place: string;
  readonly draw: () => number;
  readonly changes: number;
}

async function judgeRepository({ pool, place, draw, changes }: Judging) {
  const [repository] = await pool.authorship.repositories();
  const head = repository && (await pool.authorship.head(repository.id));
  if (!repository || !head) throw new Error(`${place} was read, and is not in the pool.`);
  const blocks = await pool.authorship.blocks(repository.id, 0, head.blocks.length);
  const history = readReviewedHistory(head, blocks);
  const reviewed = listReviewed(history, repository);
  const left = [...reviewed];
  const judged: Judged[] = [];
  while (judged.length < changes && left.length > 0) {
    const [change] = left.splice(Math.floor(draw() * left.length), 1);
    if (!change) continue;
    judged.push({
      repository: repository.name,
      change,
      named: {
        ...(await askRoster({ pool, repository, history, change })),
        commits: rank(countCommits(history, change), change),
      },
    });
  }
  return { name: repository.name, own: judged, reviewed };
}

/** Changes of the last year by a known person that name a known reviewer. */
function listReviewed(
  { head, authors, reviewers, filesOf }: ReviewedHistory,
  { lastDay }: KnownRepository,
): ReviewedChange[] {
  return Array.from(head.columns.day).flatMap((day, commit) => {
    const [author, files = []] = [authors[commit], filesOf[commit]];
    const given = reviewers[commit] ?? [];
    const isAsked = day > lastDay - yearDays && files.length > 0 && files.length <= filesMax;
    if (!isAsked || author === undefined || given.length === 0) return [];
    return [{ commit, author, reviewers: given, files, day }];
  });
}

async function askRoster({
  pool,
  repository: { id },
  history: { head, paths },
  change,
}: {
  readonly pool: Pool;
  readonly repository: KnownRepository;
  readonly history: ReviewedHistory;
  readonly change: ReviewedChange;
}): Promise<Pick<Named, "roster" | "best first">> {
  const read = (from: number, to: number) => pool.authorship.blocks(id, from, to);
  const asked = change.files.map((file) => paths[file] ?? "");
  const { files, folders } = await selectChange({ head, read }, asked);
  const selection = (some: typeof files) => ({ repository: id, head, files: some });
  const ask = (ignoreLoad: boolean) =>
    rankReviewers(
      { files: selection(files), folders: selection(folders) },
      {
        ...{ asOfDay: change.day - 1, constants: readShippedModel().knowledge, ignoreLoad },
        excluded: new Set([change.author]),
      },
    )
      .slice(0, named)
      .map(({ login }) => login);
  return { roster: ask(false), "best first": ask(true) };
}

/** @returns the first people, without the author. */
function rank(scores: ReadonlyMap<string, number>, { author }: ReviewedChange): readonly string[] {
  return [...scores]
    .filter(([login]) => login !== author)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, named)
    .map(([login]) => login);
}

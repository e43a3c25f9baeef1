/** Invents what the planted people and machines did, day by day: commits that count and commits that must not. */
import type { Chance } from "../../seeding/demo/chance.ts";
import { cadences, type Machine, machines, type Planted, type Signature } from "./people.ts";
import type { FileKind, Plan, Project } from "./projects.ts";

/** The day as of which everything is judged. The twelve full months before it determine the cadence. */
export const plantedAsOf = "2026-11-01";

export interface PlantedCommit {
  readonly author: Signature;
  /** Seconds since 1970, UTC. */
  readonly at: number;
  readonly message: string;
  /** Contents by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly isMerge?: boolean;
}

/** A repository that is to be written. */
export interface History {
  readonly name: string;
  readonly commits: readonly PlantedCommit[];
}

/** Commits of each planted person that showed a skill, by skill id. */
export type Shown = Map<Planted, Map<string, number>>;

const lastDay = Date.parse(`${plantedAsOf}T00:00:00Z`) / 86_400_000 - 1;
const yearDays = 365;

export function plantHistories(
  plan: Plan,
  people: readonly Planted[],
  chance: Chance,
): { readonly histories: readonly History[]; readonly shown: Shown } {
  const shown: Shown = new Map(people.map((person) => [person, new Map()]));
  const histories = plan.projects.map((project, at) => {
    const writer = openCommitWriter(chance);
    const team = people.filter((person) => person.project === project);
    // People of other repositories occasionally edit the common files.
    const guests = people.filter(
      ({ project: own, label }) => own !== project && label !== "Inactive" && chance.is(1),
    );
    const commits = [
      ...team.flatMap((person) => workOf(person, { plan, project, writer, chance, team, shown })),
      ...guests.map((guest) => writer.commit(guest, chance.pick(plan.common), lastDay - 40)),
      ...machineWork(
        machines.filter((_, one) => one % plan.projects.length === at % 11),
        chance,
      ),
    ];
    return { name: project.name, commits: withFirst(project, team, withMerges(commits, chance)) };
  });
  return { histories: [...histories, ...forksOf(histories)], shown };
}

interface Place {
  readonly plan: Plan;
  readonly project: Project;
  readonly writer: ReturnType<typeof openCommitWriter>;
  readonly chance: Chance;
  readonly team: readonly Planted[];
  readonly shown: Shown;
}

/** How many of a hundred commits touch common files or a colleague's files. */
const asidePercent = 12;

function workOf(person: Planted, place: Place): PlantedCommit[] {
  const { plan, project, writer, chance, shown } = place;
  const likings = person.team.kinds.map((kind) => ({
    kind,
    weight: kind.weight * chance.between(0.4, 1.6),
  }));
  const others = project.teams.flatMap(({ kinds }) => kinds);
  const skills = shown.get(person);
  const commits = daysOf(person, chance).map((day) => {
    const aside = chance.is(asidePercent);
    const kind = aside
      ? chance.pick(chance.is(70) ? plan.common : others)
      : chance.weighted(likings, ({ weight }) => weight).kind;
    for (const skill of kind.skills) skills?.set(skill, (skills.get(skill) ?? 0) + 1);
    return writer.commit(person, kind, day, coAuthorOf(person, place));
  });
  return [...commits, ...(chance.is(20) ? uncounted(person, place) : [])];
}

/** @returns the days of the counted commits: as many in the last year as the label requires, and an earlier history. */
function daysOf(person: Planted, chance: Chance): number[] {
  const { from, to } = cadences[person.label];
  const recent = chance.whole(from, to);
  const earlier = chance.whole(recent < 20 ? 30 : 5, 60);
  const days = [
    ...Array.from({ length: recent }, () => lastDay - chance.whole(0, yearDays - 1)),
    ...Array.from({ length: earlier }, () => lastDay - yearDays - chance.whole(1, 500)),
  ];
  // More than five commits on one day would not all count.
  const perDay = new Map<number, number>();
  return days.map((day) => {
    let free = day;
    while ((perDay.get(free) ?? 0) >= 3) free -= 1;
    perDay.set(free, (perDay.get(free) ?? 0) + 1);
    return Math.max(free, day - 5);
  });
}

function coAuthorOf(person: Planted, { chance, team }: Place): string | undefined {
  if (chance.is(8)) return "Claude <noreply@anthropic.com>";
  if (!chance.is(3)) return undefined;
  // A person who shares a commit is not inactive.
  const colleague = chance.pick(team);
  const [usual] = colleague.signatures;
  if (colleague.label === "Inactive") return undefined;
  return usual && usual !== person.signatures[0] ? `${usual.name} <${usual.email}>` : undefined;
}

/** Commits that must not count: reverts, lock files, a copied tree of another author, and dates in the future. */
function uncounted(person: Planted, { chance }: Place): PlantedCommit[] {
  const [author] = person.signatures;
  if (!author) throw new Error("Everybody has a signature.");
  const vendored = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `vendor/lib/file${at}.js`,
      `module.exports = ${at};\n`,
    ]),
  );
  return Array.from({ length: 24 }, (_, at) => {
    const when = (lastDay - chance.whole(0, yearDays - 1)) * 86_400 + chance.whole(0, 86_399);
    const message = `Note ${author.email} ${at}`;
    if (at === 0) return { author, at: when, message: "Bring in the library", files: vendored };
    if (at % 3 === 0) {
      const files = { "NOTES.txt": `${author.email} ${at}\n` };
      return { author, at: when, message: `Revert "${message}"`, files };
    }
    if (at % 3 === 1) {
      const files = { "yarn.lock": `# yarn lockfile v1\n# ${author.email} ${at}\n` };
      return { author, at: when, message, files };
    }
    const files = { "PLANS.txt": `${author.email} ${at}\n` };
    return { author, at: (lastDay + 40 + at) * 86_400, message, files };
  });
}

export const nouns =
  "order invoice basket profile session report upload search ticket coupon address payment gallery review region channel folder reminder contact metric shipment voucher widget ledger planner station journal cluster".split(
    " ",
  );

export const subjects = [
  "Show {name} only when there is one",
  "Keep {name} from being read twice",
  "feat({name}): take more than one",
  "fix({name}): an empty list is no error",
  "{name}: less work on every call",
  "Name what {name} is for",
  "refactor: {name} by itself",
  "Make {name} easier to try out",
];

export const bodies = ["", "", "\n\nBecause an empty list made the page fail.", "\n\nFixes #{n}."];

/** Writes commits to the files of one repository, and remembers how often each file was edited. */
function openCommitWriter(chance: Chance) {
  const edits = new Map<string, number>();
  return {
    commit(
      person: Planted,
      kind: FileKind,
      day: number,
      coAuthor?: string | undefined,
    ): PlantedCommit {
      const name = chance.pick(nouns);
      const path = fillText(kind.path, { name, n: 1 });
      const n = (edits.get(path) ?? 0) + 1;
      edits.set(path, n);
      const author = signatureOf(person, chance);
      const text = fillText(chance.pick(subjects) + chance.pick(bodies), { name, n });
      return {
        author,
        at: day * 86_400 + chance.whole(6 * 3600, 20 * 3600),
        message: coAuthor ? `${text}\n\nCo-authored-by: ${coAuthor}` : text,
        files: { [path]: fillText(kind.content, { name, n }) },
      };
    },
  };
}

function signatureOf({ signatures }: Planted, chance: Chance): Signature {
  const [usual, ...others] = signatures;
  if (!usual) throw new Error("Everybody has a signature.");
  return others.length > 0 && chance.is(40) ? chance.pick(others) : usual;
}

/** Puts a name and a number into a text of projects.txt. */
export function fillText(
  text: string,
  { name, n }: { readonly name: string; readonly n: number },
): string {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return text.replaceAll("{Name}", capital).replaceAll("{name}", name).replaceAll("{n}", `${n}`);
}

function machineWork(here: readonly Machine[], chance: Chance): PlantedCommit[] {
  return here.flatMap((author) =>
    Array.from({ length: 30 }, (_, at) => ({
      author,
      at: (lastDay - 10 * at) * 86_400 + chance.whole(0, 86_399),
      message: chance.pick(author.messages).replaceAll("#", String(at)),
      files: { [author.path]: `{ "revision": ${at} }\n` },
    })),
  );
}

/** Sorts the commits by time and adds a merge here and there, which must count for no person. */
function withMerges(commits: readonly PlantedCommit[], chance: Chance): PlantedCommit[] {
  const sorted = commits.toSorted((a, b) => a.at - b.at || (a.message < b.message ? -1 : 1));
  return sorted.flatMap((commit) => {
    if (!chance.is(4)) return [commit];
    const { author, at } = commit;
    return [
      commit,
      { author, at: at + 60, message: "Merge branch 'work'", files: {}, isMerge: true },
    ];
  });
}

function withFirst(
  project: Project,
  team: readonly Planted[],
  commits: readonly PlantedCommit[],
): PlantedCommit[] {
  const author = team[0]?.signatures[0];
  const first = commits[0];
  if (!author || !first) throw new Error(`Nobody works on ${project.name}.`);
  const files = Object.fromEntries(project.once.map(({ path, content }) => [path, content]));
  const mailmap = team.flatMap((person) => person.mailmap).join("\n");
  const all = { ...files, ...(mailmap && { ".mailmap": `${mailmap}\n` }) };
  // What is recent ends with what was read (decision 45), so something is there on the day of judging.
  const [machine = author] = machines;
  const at = (lastDay + 1) * 86_400 + 60;
  const last = { author: machine, at, message: "Merge branch 'work'", files: {}, isMerge: true };
  return [{ author, at: first.at - 86_400, message: "Begin", files: all }, ...commits, last];
}

/** Copies some repositories as forks, in which the same commits must count only once. */
function forksOf(histories: readonly History[]): History[] {
  return histories.slice(0, 2).map(({ name, commits }) => ({ name: `${name}-fork`, commits }));
}

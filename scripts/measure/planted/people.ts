/** The people and machines of the planted pool, with their signatures. All of them are invented. */
import type { Chance } from "../../seeding/demo/chance.ts";
import { readNames } from "../../seeding/demo/lists.ts";
import type { Plan, Project, Team } from "./projects.ts";

export interface Signature {
  readonly name: string;
  readonly email: string;
}

export interface Planted {
  readonly role: string;
  readonly project: Project;
  readonly team: Team;
  readonly label: CadenceLabel;
  /** The first is the usual one. */
  readonly signatures: readonly Signature[];
  /** Lines of the repository's `.mailmap`. */
  readonly mailmap: readonly string[];
}

export interface Machine extends Signature {
  readonly class: "bot" | "assistant";
  /** Subject of a commit; `#` is a number that grows. */
  readonly messages: readonly string[];
  readonly path: string;
}

/**
 * The labels of docs/scoring.md: their share of the people, and the number of commits in the last 12 full months that
 * they stand for.
 */
export const cadences = {
  Inactive: { share: 10, from: 0, to: 0 },
  Occasional: { share: 25, from: 4, to: 9 },
  Regular: { share: 33, from: 14, to: 32 },
  Active: { share: 20, from: 41, to: 88 },
  "Very Active": { share: 8, from: 105, to: 175 },
  Prolific: { share: 4, from: 212, to: 270 },
} as const;
type CadenceLabel = keyof typeof cadences;

export const machines: readonly Machine[] = [
  bot("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", "package.json"),
  bot("renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com", "package.json"),
  bot(
    "github-actions[bot]",
    "41898282+github-actions[bot]@users.noreply.github.com",
    "CHANGES.txt",
  ),
  bot("portal-translations[bot]", "translations[bot]@users.noreply.github.com", "locales/de.json"),
  bot("Portal Release", "release@portal.example", "CHANGELOG.md", "Release 2.#.0"),
  bot("Nightly Sync", "sync@warehouse.example", "data/rates.csv", "Nightly rates of day #"),
  bot("Autobuild", "autobuild@kv.example", "VERSION", "Build # of the main branch"),
  bot("docs-publisher", "docs-publisher@handbook.example", "site/index.html", "Publish site v#"),
  assistant("Claude", "noreply@anthropic.com"),
  assistant("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com"),
  assistant("Cursor Agent", "cursoragent@cursor.com"),
];

function bot(
  name: string,
  email: string,
  path: string,
  message = "Bump lodash to 4.17.#",
): Machine {
  return { name, email, class: "bot", messages: [message], path };
}

function assistant(name: string, email: string): Machine {
  const messages = [
    "Add the missing check of page #",
    "Explain why # retries are enough",
    "fix: read # entries at once",
    "Split the long function into #",
  ];
  return { name, email, class: "assistant", messages, path: "docs/notes.txt" };
}

/** Words that suggest a machine. People who have one in their address must still be taken for people. */
const misleading = ["release", "infra", "service", "ci"];

export function plantPeople(plan: Plan, chance: Chance): Planted[] {
  const names = openNames(chance);
  return plan.projects.flatMap((project) =>
    project.teams.flatMap((team) =>
      Array.from({ length: team.people }, () => plantOne({ project, team }, names(), chance)),
    ),
  );
}

function plantOne(
  { project, team }: { project: Project; team: Team },
  { name, handle, number }: Named,
  chance: Chance,
): Planted {
  const labels = Object.keys(cadences) as CadenceLabel[];
  const label = chance.weighted(labels, (each) => cadences[each].share);
  const word = chance.is(4) ? `${chance.pick(misleading)}.` : "";
  const usual = { name, email: `${word}${handle}@example.org` };
  const identity = aliasesOf(usual, { handle, number, form: chance.whole(1, 9) });
  return { role: team.role, project, team, label, ...identity };
}

/** Gives a person several signatures, in one of the ways in which that happens. More than half of the people have one. */
export function aliasesOf(
  usual: Signature,
  { handle, number, form }: { handle: string; number: number; form: number },
): Pick<Planted, "signatures" | "mailmap"> {
  const account = handle.replaceAll(".", "-");
  const noreply = { name: usual.name, email: `${number}+${account}@users.noreply.github.com` };
  const old = { name: account, email: `${account}@users.noreply.github.com` };
  const work = { name: usual.name, email: `${handle}@work.example.net` };
  const mapped = (to: Signature, from: Signature) => `${to.name} <${to.email}> <${from.email}>`;
  switch (form) {
    case 1:
      return { signatures: [usual, work], mailmap: [mapped(usual, work)] };
    case 2:
      return { signatures: [noreply, old], mailmap: [] };
    case 3:
      return { signatures: [usual, noreply, old], mailmap: [mapped(usual, noreply)] };
    case 4: {
      const short = { name: account, email: usual.email.toUpperCase() };
      return { signatures: [usual, short], mailmap: [] };
    }
    default:
      return { signatures: [usual], mailmap: [] };
  }
}

interface Named {
  readonly name: string;
  readonly handle: string;
  readonly number: number;
}

/** Some full names are used twice, as among real people. Two people of one name must stay two. */
function openNames(chance: Chance): () => Named {
  const lists = [...readNames().values()];
  const english = lists[0];
  if (!english) throw new Error("names.txt holds no list.");
  let number = 7_000_000;
  return () => {
    number += chance.whole(11, 999);
    const given = chance.pick(english.given);
    const family = chance.is(15) ? "Mossgate" : chance.pick(english.family);
    const handle = `${given}.${family}.${number % 100_000}`.toLowerCase();
    return { name: `${given} ${family}`, handle, number };
  };
}

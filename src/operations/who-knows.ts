import { limits } from "../contract/limits.ts";
import { type KnowingPerson, WhoData, WhoRequest } from "../contract/people/who-knows.ts";
import { Problem } from "../contract/problem.ts";
import {
  formatUtcDay,
  isHistoryStale,
  isRefusal,
  type KnowledgeAnswer,
  listFolders,
  toKnowingPerson,
  toOwnershipFiles,
} from "../knowledge/knowledge.ts";
import { viewKnowledge } from "./knowledge-view.ts";
import { defineOperation, type Modules } from "./operation.ts";

export const whoKnows = defineOperation({
  name: "who_knows",
  command: "who",
  summary: "Find who knows a repository, path, package or change",
  description:
    "For whom to ask, or who should review. Answers with the people who know these files now, by dated commits and by " +
    "lines that still stand, and how many would have to leave until nobody knows the files.",
  scope: "search",
  isAddition: true,
  method: "POST",
  path: "/v1/who",
  input: WhoRequest,
  output: WhoData,
  slimWithout: [
    ...["soleFiles.files", "orphanedFiles.files", "folders"],
    ...["modelVersion", "paths", "commits", "repositories.forge"],
    // The reasons say it in words.
    ...["people.evidence", "people.lastActive", "ownership", "historyEnd"],
  ],
  example: { repository: "demo-guild/onyx-vault", path: "services/payments", limit: 5 },
  view: viewKnowledge,
  async run({ repository, path, paths = [], package: name, asOf, limit }, modules) {
    const asked = [...(path === undefined ? [] : [path]), ...paths];
    if (repository === undefined && name === undefined && asked.length === 0) {
      const message = "one of repository, path, paths and package must be given";
      throw new Problem("invalid_request", { message });
    }
    if (name !== undefined && asked.length > 0) {
      const message = "package and path cannot be given together: a package has its own files";
      throw new Problem("invalid_request", { message });
    }
    const asOfDay = asOf === undefined ? modules.knowledge.today() : readDay(asOf);
    const { knowledge } = modules;
    const answer = await knowledge.ask({ repository, paths: asked, package: name, asOfDay });
    if (isRefusal(answer)) {
      const code = answer.kind === "absent" ? "not_found" : "invalid_request";
      throw new Problem(code, { message: answer.message });
    }
    return describe(answer, { modules, asOfDay, most: limit ?? limits.foundDefault });
  },
});

/** @returns UTC days since 1970. */
const readDay = (text: string) => Math.floor(Date.parse(`${text}T00:00:00Z`) / 86_400_000);

const filesMax = 100;
const foldersMax = 200;

interface Showing {
  readonly modules: Modules;
  readonly asOfDay: number;
  readonly most: number;
}

async function describe(
  answer: KnowledgeAnswer,
  { modules, asOfDay, most }: Showing,
): Promise<WhoData> {
  const { knowledge } = modules;
  const { people, files, repositories, unknownPaths, truckFactor, ownership, untilDay } = answer;
  const loginOf = (person: number) => people[person]?.login ?? "";
  const sole = files.filter(({ knownBy }) => knownBy.length === 1);
  const orphaned = files.filter(({ knownBy }) => knownBy.length === 0);
  const shown = await readPeople(answer, { modules, asOfDay, most });
  const spelling = new Map(shown.map(({ login }) => [login.toLowerCase(), login]));
  const spell = (login: string) => spelling.get(login) ?? login;
  const named = (person: number) => spell(loginOf(person));
  return {
    people: shown,
    total: people.length,
    repositories: repositories.map(({ name, forge }) => ({ name, ...(forge ? { forge } : {}) })),
    paths: [...answer.paths],
    ...(unknownPaths.length > 0 ? { unknownPaths: [...unknownPaths] } : {}),
    ...(answer.package ? { package: answer.package } : {}),
    files: files.length,
    commits: answer.commits,
    truckFactor: { people: truckFactor.length, logins: truckFactor.map(named) },
    soleFiles: {
      total: sole.length,
      files: sole
        .slice(0, filesMax)
        .map(({ path, knownBy: [person = -1] }) => ({ path, login: named(person) })),
    },
    orphanedFiles: {
      total: orphaned.length,
      files: orphaned.slice(0, filesMax).map(({ path }) => path),
    },
    ...(ownership ? { ownership: toOwnershipFiles(ownership, spell) } : {}),
    folders: listFolders(files, answer.paths.length === 1 ? (answer.paths[0] ?? "") : "")
      .slice(0, foldersMax)
      .map(({ best, ...folder }) => ({
        ...folder,
        ...(best === undefined ? {} : { best: named(best) }),
      })),
    asOf: formatUtcDay(asOfDay),
    ...(isHistoryStale({ asOfDay, untilDay }) ? { historyEnd: formatUtcDay(untilDay) } : {}),
    modelVersion: knowledge.modelVersion(),
  };
}

/** Reads the best of them; people who were erased since are left out. */
async function readPeople(
  { people, lines, files, untilDay }: KnowledgeAnswer,
  { modules, asOfDay, most }: Showing,
): Promise<KnowingPerson[]> {
  const { pool, knowledge } = modules;
  const ranked = people.slice(0, most);
  const analyses = await pool.findAnalyses(ranked.map(({ login }) => login));
  const halfCommits = knowledge.halfCommits();
  const context = { asOfDay, untilDay, lines, files: files.length, halfCommits };
  return ranked.flatMap((person, at) => {
    const analysis = analyses[at];
    if (!analysis) return [];
    const { login, name } = analysis.profile;
    const emails = analysis.emails.emails.map(({ address }) => address);
    return [toKnowingPerson(person, { login, name, emails }, context)];
  });
}

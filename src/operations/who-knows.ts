import { limits } from "../contract/limits.ts";
import { WhoData, WhoRequest } from "../contract/people/who-knows.ts";
import {
  formatUtcDay,
  isHistoryStale,
  type KnowledgeAnswer,
  listFolders,
  toOwnershipFiles,
} from "../knowledge/knowledge.ts";
import { describeAuthors } from "./describe-authors.ts";
import { writeKnowledgeComment } from "./knowledge-comment.ts";
import { viewKnowledge } from "./knowledge-view.ts";
import { defineOperation } from "./operation.ts";
import {
  askKnowledge,
  countKnowers,
  type KnowledgeAccess,
  type RequestedKnowledge,
  readFirstKnowers,
} from "./requested-knowledge.ts";

export const whoKnows = defineOperation({
  name: "who_knows",
  command: "who",
  summary: "Find who knows a repository, path, package or change",
  description:
    "Finds whom to ask, who should review, and who can take over when somebody leaves. Answers with the people who know " +
    "the files, by commits and remaining lines, and with the truck factor.",
  scope: "search",
  isAddition: true,
  method: "POST",
  path: "/v1/who",
  input: WhoRequest,
  output: WhoData,
  slimWithout: [
    ...["soleFiles.files", "orphanedFiles.files", "folders"],
    "handover.logins",
    ...["files", "known", "share"].map((field) => `handover.folders.${field}`),
    ...["modelVersion", "paths", "commits", "repositories.forge"],
    // These fields are left out because the sentences in `reasons` contain their figures.
    ...[
      "people.evidence",
      "people.confidence",
      "people.lastActive",
      "ownership",
      "historyEnd",
      "leftOut",
    ],
    ...["people.files", "people.accounts", "authors", "historyStart"],
  ],
  example: { repository: "demo-guild/onyx-vault", path: "services/payments", limit: 5 },
  view: viewKnowledge,
  comment: writeKnowledgeComment,
  async run(request, modules, caller) {
    if (isEmptyChange(request)) return describeEmptyChange(request, modules);
    const { authors = [], exclude = [], limit = limits.foundDefault } = request;
    const isNaming = authors.length + exclude.length > 0;
    const seesAll = isNaming && (await modules.accounts.canSeeUnpublished(caller));
    const requested = await askKnowledge(request, modules, seesAll);
    const answer = await describe(requested, modules, limit);
    return { ...answer, ...(await describeAuthors(requested, modules, seesAll)) };
  },
});

/** Whether the request is about a change without files. */
function isEmptyChange({ repository, path, paths, package: name }: WhoRequest): boolean {
  const isElse = [repository, path, name].some((field) => field !== undefined);
  return paths?.length === 0 && !isElse;
}

function describeEmptyChange(
  { asOf }: WhoRequest,
  { knowledge }: Pick<KnowledgeAccess, "knowledge">,
): WhoData {
  return {
    ...{ isChange: true, people: [], total: 0, repositories: [], paths: [], files: 0, commits: 0 },
    truckFactor: { people: 0, logins: [] },
    soleFiles: { total: 0, files: [] },
    orphanedFiles: { total: 0, files: [] },
    folders: [],
    asOf: asOf ?? formatUtcDay(knowledge.today()),
    modelVersion: knowledge.modelVersion(),
  };
}

const filesMax = 100;
const foldersMax = 200;

async function describe(
  requested: RequestedKnowledge,
  modules: KnowledgeAccess,
  most: number,
): Promise<WhoData> {
  const { answer, asOfDay, leaving } = requested;
  const { people, files, repositories, unknownPaths, truckFactor, ownership, untilDay } = answer;
  const loginOf = (person: number) => people[person]?.login ?? "";
  const { handover } = answer;
  const sole = files.filter(({ knownBy }) => knownBy.length === 1);
  const orphaned = files.filter((file) => file.knownBy.length === 0 && !file.isImported);
  const shown = await readFirstKnowers(requested, modules, most);
  const spelling = new Map(
    [...leaving, ...shown.map(({ login }) => login)].map((login) => [login.toLowerCase(), login]),
  );
  const spell = (login: string) => spelling.get(login) ?? login;
  const named = (person: number) => spell(loginOf(person));
  return {
    ...(answer.reviewers && { isChange: true }),
    people: shown,
    total: countKnowers(requested),
    repositories: repositories.map(({ name, forge }) => ({ name, ...(forge ? { forge } : {}) })),
    paths: [...answer.paths],
    ...(unknownPaths.length > 0 ? { unknownPaths: [...unknownPaths] } : {}),
    ...(answer.package ? { package: answer.package } : {}),
    files: files.length,
    commits: answer.commits,
    ...(answer.leftOut.vendored + answer.leftOut.generated > 0 ? { leftOut: answer.leftOut } : {}),
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
    ...(handover
      ? { handover: { logins: [...leaving], ...toHandover(handover, answer, named) } }
      : {}),
    folders: listFolders(files, answer.paths.length === 1 ? (answer.paths[0] ?? "") : "")
      .slice(0, foldersMax)
      .map(({ best, ...folder }) => ({
        ...folder,
        ...(best === undefined ? {} : { best: named(best) }),
      })),
    asOf: formatUtcDay(asOfDay),
    ...(isHistoryStale({ asOfDay, untilDay }) ? { historyEnd: formatUtcDay(untilDay) } : {}),
    modelVersion: modules.knowledge.modelVersion(),
  };
}

function toHandover(
  { files, lost, folders }: NonNullable<KnowledgeAnswer["handover"]>,
  { repositories }: Pick<KnowledgeAnswer, "repositories">,
  named: (person: number) => string,
): Omit<NonNullable<WhoData["handover"]>, "logins"> {
  const nameOf = new Map(repositories.map(({ id, name }) => [id, name]));
  const isAlone = repositories.length === 1;
  return {
    ...{ files, lost },
    folders: folders.slice(0, foldersMax).map(({ repository, path, share, next, ...folder }) => ({
      path: isAlone ? path : `${nameOf.get(repository) ?? ""}:${path}`,
      ...folder,
      share: Math.round(share * 1000) / 1000,
      next: next.map((one) => ({
        login: named(one.person),
        share: Math.round(one.share * 1000) / 1000,
      })),
    })),
  };
}

import { limits } from "../contract/limits.ts";
import { WhoData, WhoRequest } from "../contract/people/who-knows.ts";
import {
  formatUtcDay,
  type HandedPart,
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
    "Finds the people who know some code, by their commits and remaining lines. Use it with repository, path or package for whom to ask, " +
    "and for how few people the code depends on (bus factor); with paths for who should review a change; with without for what is lost " +
    "and who is next, by folder, when people leave: in one repository or, with without alone, in all. To hire people use " +
    "search_developers. Costs one call.",
  scope: "search",
  isAddition: true,
  method: "POST",
  path: "/v1/who",
  input: WhoRequest,
  output: WhoData,
  slimWithout: [
    ...["soleFiles.files", "orphanedFiles.files", "folders"],
    "handover.logins",
    ...["files", "known", "share"].flatMap((field) => [
      `handover.repositories.${field}`,
      `handover.folders.${field}`,
    ]),
    ...["modelVersion", "paths", "commits", "repositories.forge"],
    // These fields are left out because the sentences in `reasons` contain their figures.
    ...["people.evidence", "people.confidence", "people.lastActive"],
    ...["ownership", "historyEnd", "leftOut"],
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
  const { files, repositories, unknownPaths, truckFactor, ownership, handover, untilDay } = answer;
  const pathOf = createPathNames(repositories);
  const loginOf = (person: number) => answer.people[person]?.login ?? "";
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
        .map((file) => ({ path: pathOf(file), login: named(file.knownBy[0] ?? -1) })),
    },
    orphanedFiles: {
      total: orphaned.length,
      files: orphaned.slice(0, filesMax).map(pathOf),
    },
    ...(ownership ? { ownership: toOwnershipFiles(ownership, spell) } : {}),
    ...(handover
      ? { handover: { logins: [...leaving], ...toHandover(handover, answer, named) } }
      : {}),
    folders: (answer.unmeasured === undefined
      ? listFolders(files, answer.paths.length === 1 ? (answer.paths[0] ?? "") : "")
      : []
    )
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

/** Names a file or folder. With several repositories, the repository's name comes before the path. */
function createPathNames(repositories: KnowledgeAnswer["repositories"]) {
  const nameOf = new Map(repositories.map(({ id, name }) => [id, name]));
  return ({ repository, path }: { readonly repository: number; readonly path?: string }) =>
    [repositories.length > 1 || path === undefined ? nameOf.get(repository) : undefined, path]
      .filter((part) => part !== undefined)
      .join(":");
}

function toHandover(
  { files, lost, repositories: handed, folders }: NonNullable<KnowledgeAnswer["handover"]>,
  { repositories, unmeasured = 0 }: Pick<KnowledgeAnswer, "repositories" | "unmeasured">,
  named: (person: number) => string,
): Omit<NonNullable<WhoData["handover"]>, "logins"> {
  const pathOf = createPathNames(repositories);
  const round = (share: number) => Math.round(share * 1000) / 1000;
  const describePart = ({ files, known, lost, share, next }: HandedPart) => ({
    ...{ files, known, lost, share: round(share) },
    next: next.map((one) => ({ login: named(one.person), share: round(one.share) })),
  });
  return {
    ...{ files, lost },
    ...(repositories.length > 1 && {
      repositories: handed.map((part) => ({ name: pathOf(part), ...describePart(part) })),
    }),
    ...(unmeasured > 0 && { unmeasured }),
    folders: folders
      .slice(0, foldersMax)
      .map((part) => ({ path: pathOf(part), ...describePart(part) })),
  };
}

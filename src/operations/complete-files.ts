/** Completes names of repositories and paths while a user types them on a page. */
import { CompletionData, CompletionRequest } from "../contract/completion.ts";
import { defineOperation } from "./operation.ts";

const shownMax = 10;

export const completeFiles = defineOperation({
  name: "complete_files",
  command: "complete-files",
  summary: "Complete the name of a repository, or a path in one",
  description: "Answers with at most ten names.",
  scope: "search",
  isFree: true,
  isAddition: true,
  method: "GET",
  path: "/v1/files",
  input: CompletionRequest,
  output: CompletionData,
  example: { repository: "demo-guild/onyx-vault", path: "serv" },
  async run({ repository, path }, { knowledge }) {
    if (path === undefined) {
      return { terms: [...(await knowledge.completeRepository(repository, shownMax))] };
    }
    const found = await knowledge.completePath(repository, path, shownMax);
    return {
      terms: found.map((one) => ({ name: one.isFolder ? `${one.path}/` : one.path })),
    };
  },
});

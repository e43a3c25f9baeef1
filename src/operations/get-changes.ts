import { type ChangedLogin, ChangesData, ChangesRequest } from "../contract/changes.ts";
import { limits } from "../contract/limits.ts";
import { defineOperation } from "./operation.ts";

export const getChanges = defineOperation({
  name: "get_changes",
  command: "changes",
  summary: "List who is new, changed or gone, to keep a copy up to date",
  description:
    "Lists the logins that are new, changed, renamed or removed since an earlier answer. Keep next, and send it as since " +
    "the next time. Without since, it lists everybody as new, page by page. Keys of administrators also see who was erased.",
  scope: "search",
  isAddition: true,
  isForPrograms: true,
  method: "GET",
  path: "/v1/changes",
  input: ChangesRequest,
  output: ChangesData,
  example: { limit: 3 },
  view: (data) => [
    {
      lines: () => data.changes.map((change) => toCells(change).filter(Boolean).join(", ")),
      table: {
        headings: ["change", "login", "former login"],
        rows: () => data.changes.map(toCells),
      },
    },
    sayNext(data),
  ],
  async run({ since, limit = limits.changesMax }, { pool, accounts }, caller) {
    const canSeeErased = await accounts.canSeeUnpublished(caller);
    return pool.changes.list({ since, limit, canSeeErased });
  },
});

const toCells = ({ change, login, formerLogin = "" }: ChangedLogin) => [change, login, formerLogin];

function sayNext({ startAnew, next, hasMore }: ChangesData): string {
  if (startAnew) return `Start anew (${startAnew}): ask without since.`;
  return `${hasMore ? "There are more. " : ""}Next: ${next}`;
}

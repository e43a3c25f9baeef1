/** Reads reviews in Gitea and Forgejo. One request lists twenty changes. Each change needs requests for its reviews and files. */
import type { ForgeAdapter, ReviewVerdict } from "../forge.ts";
import { MissingList } from "../forge.ts";
import {
  type AnswerObject,
  listObjects,
  readFields,
  readInstant,
  readNumber,
} from "./answer-fields.ts";
import type { ForgeClient } from "./client.ts";
import { readReviewedChange } from "./review-answers.ts";

const pageSize = 20;

const verdicts: Readonly<Record<string, ReviewVerdict>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changesRequested",
};

/** @package @param name the repository, as `owner/name`. */
export function getGiteaRepositoryPath(name: string): string {
  return `repos/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** @package */
export function readGiteaReviews(client: Pick<ForgeClient, "ask">): ForgeAdapter["readReviews"] {
  return async ({ name }, { cursor, since }) => {
    const page = Number(cursor ?? 1);
    const answer = await client.ask({
      path: `${getGiteaRepositoryPath(name)}/pulls`,
      query: { state: "all", sort: "recentupdate", limit: pageSize, page },
      what: `the changes of ${name}`,
    });
    if (answer.status !== 200) throw new MissingList();
    const found = listObjects(answer.body);
    const fresh = found.filter((one) => (readInstant(one["updated_at"]) ?? "") > since);
    const changes = await Promise.all(fresh.map((change) => readChange(client, name, change)));
    const isOver = fresh.length < found.length || answer.next === undefined;
    return {
      changes: changes.filter((change) => change !== undefined),
      next: isOver ? undefined : String(page + 1),
    };
  };
}

async function readChange(client: Pick<ForgeClient, "ask">, name: string, change: AnswerObject) {
  const path = `${getGiteaRepositoryPath(name)}/pulls/${readNumber(change["number"])}`;
  const ask = async (list: string) => {
    const what = `the ${list} of a change of ${name}`;
    const { body } = await client.ask({ path: `${path}/${list}`, query: { limit: 50 }, what });
    return listObjects(body);
  };
  const isOpenOrMerged = change["state"] === "open" || change["merged"] === true;
  const reviews = isOpenOrMerged ? await ask("reviews") : [];
  const given = {
    ...{ number: change["number"], updatedAt: change["updated_at"], isOpenOrMerged },
    ...{ author: readFields(change["user"])["id"], files: change["changed_files"] },
    commits: [readFields(change["head"])["sha"], change["merge_commit_sha"]],
    reviews: reviews.map(({ user, state, dismissed, submitted_at: at }) => ({
      reviewer: readFields(user)["id"],
      verdict: dismissed === true ? undefined : verdicts[String(state)],
      at,
    })),
  };
  const known = readReviewedChange({ ...given, paths: [] });
  if (!known?.reviews.length) return known;
  const files = await ask("files");
  return readReviewedChange({ ...given, paths: files.map(({ filename }) => filename) });
}

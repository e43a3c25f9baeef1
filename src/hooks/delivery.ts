/** Reads what a forge, or the line of a `post-receive` hook, says about a push. */
import { parseForeignJson } from "../contract/foreign-json.ts";
import { createInvalidRequest } from "../contract/problem.ts";

/** What hooks of GitLab's projects, groups and servers call a push. GitHub and Gitea have `push` only. */
const pushEvents = ["push", "tag_push", "repository_update"];
/** No control characters, and no `-` at the start, because the name becomes an argument of a command. */
const nameForm = /^[^-\p{Cc}][^\p{Cc}]{0,499}$/u;

/**
 * Reads the name of the repository only, and no address.
 * @returns undefined if the delivery is no push. Without `repository`, the whole source has to be read.
 * @throws Problem `invalid_request` if the body is not JSON, or a push names no repository.
 */
export function readPush(headers: Headers, body: string): { repository?: string } | undefined {
  if (body === "") return {};
  const name = readFormField(body, "repository");
  if (name !== undefined) return { repository: requireName(name) };
  const payload = parsePayload(readFormField(body, "payload") ?? body);
  const event = headers.has("x-gitlab-event")
    ? (findText(payload, "object_kind") ?? findText(payload, "event_name"))
    : (headers.get("x-github-event") ?? "push");
  if (!pushEvents.includes(event ?? "")) return undefined;
  const full = findText(payload, "repository", "full_name");
  return { repository: requireName(full ?? findText(payload, "project", "path_with_namespace")) };
}

/** Reads the only field of a form. A list of fields could take much more memory than the body. */
export function readFormField(body: string, name: "payload" | "repository"): string | undefined {
  if (!body.startsWith(`${name}=`)) return undefined;
  try {
    return decodeURIComponent(body.slice(name.length + 1).replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function parsePayload(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    throw createInvalidRequest("the body is not JSON: choose application/json for this hook");
  }
}

function findText(value: unknown, ...keys: readonly string[]): string | undefined {
  let found = value;
  for (const key of keys) found = (found as Record<string, unknown> | null | undefined)?.[key];
  return typeof found === "string" ? found : undefined;
}

function requireName(name = ""): string {
  if (nameForm.test(name)) return name;
  throw createInvalidRequest(
    "repository.full_name must be the name of a repository, such as acme/tool",
  );
}

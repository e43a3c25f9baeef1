/** The changes of the API, which docs/api-changes.md owns. */
import text from "../../../docs/api-changes.md" with { type: "text" };
import { createFileAnswer } from "../../network/compression.ts";
import type { Route } from "../../network/route.ts";

interface ApiChange {
  /** The release that brought the change; undefined until it is released. */
  readonly release: string | undefined;
  readonly date: string;
  readonly kind: string;
  /** Markdown. */
  readonly text: string;
}

/** Serves the changes at `/v1/changelog`, without a key: as JSON, or as Markdown if the client asks for it. */
export function createChangesRoute(): Route {
  const shared = { "cache-control": "no-cache" };
  const asMarkdown = createFileAnswer(() => text, {
    ...shared,
    "content-type": "text/markdown; charset=utf-8",
  });
  const asJson = createFileAnswer(() => JSON.stringify({ changes: listApiChanges(text) }), {
    ...shared,
    "content-type": "application/json",
  });
  const handle: Route["handle"] = (request) =>
    request.headers.get("accept")?.includes("text/markdown")
      ? asMarkdown(request)
      : asJson(request);
  return { path: "/v1/changelog", methods: ["GET"], handle };
}

/** @param markdown has a heading for each release. Each entry begins with its date and kind: `- 2026-11-30 added: ...`. */
export function listApiChanges(markdown: string): readonly ApiChange[] {
  return markdown.split("\n## ").flatMap((section, at) => {
    if (at === 0) return [];
    const [heading = "", ...entries] = section.split("\n- ");
    const release = /^\d+\.\d+\.\d+/.exec(heading)?.[0];
    return entries.map((entry) => {
      const [head = "", ...told] = entry.split(": ");
      const [date = "", kind = ""] = head.split(" ");
      return { release, date, kind, text: told.join(": ").trim().replaceAll("\n  ", " ") };
    });
  });
}

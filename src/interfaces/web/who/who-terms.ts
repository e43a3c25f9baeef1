/** Completes repositories and paths in the form of who knows, for the page's script. It costs no call. */
import { limits } from "../../../contract/limits.ts";
import { formatCounted } from "../look/format.ts";
import { defineSignedInPage } from "../page.ts";

/** `{"terms": [{"name", "about"}]}`, at most ten, best first. */
export const whoTermsPage = defineSignedInPage({
  path: "/who/terms",
  show: async (ask) => {
    const read = (name: string, max: number = limits.textLengthMax) =>
      (ask.url.searchParams.get(name) ?? "").trim().slice(0, max);
    const isPath = read("field") === "path";
    const request = isPath
      ? { repository: read("repository"), path: read("q", limits.pathLengthMax) }
      : { repository: read("q") };
    const answer = await ask.calls.perform(ask, "complete_files", request, ({ terms }) =>
      terms.map(({ name, files }) => ({
        name,
        about: files === undefined ? "" : formatCounted(files, "file"),
      })),
    );
    if (!answer.ok) throw answer.problem;
    return { content: JSON.stringify({ terms: answer.shown }), type: "application/json" };
  },
});

/** A forge of which tests say what it told, page by page. */
import { freezeForges } from "../../../src/ingest/forges/forge-content.ts";
import { openForgeLedger } from "../../../src/ingest/forges/forge-ledger.ts";
import { addSource } from "../../../src/ingest/forges/sources.ts";
import { putPage } from "../../../src/ingest/forges/walk-pages.ts";
import { endWalk, findStep, openWalk, type Walk } from "../../../src/ingest/forges/walks.ts";
import { noFiles } from "../../../src/ingest/git/identify/rules.ts";

type Page = Parameters<typeof putPage>[2];

export function openToldForge() {
  const forges = openForgeLedger(":memory:");
  addSource(forges, {
    ...{ id: "corp", kind: "gitea", url: "https://git.corp.example", forge: "git.corp.example" },
    selections: [{ kind: "all" }],
  });
  let walks = 0;
  /** @param finish what else is told before the walk ends. */
  const tell = (
    page: Pick<Page, "accounts" | "repositories">,
    isSuppressed: Parameters<typeof putPage>[3] = () => false,
    finish: (walk: Walk) => void = () => {},
  ) => {
    const walk = openWalk(forges, "corp", [{ name: `all ${walks++}`, ask: "all" }]);
    const step = findStep(walk);
    if (!step) throw new Error("A walk without a step.");
    putPage(walk, step, { ...page, hidden: 0, next: undefined }, isSuppressed);
    finish(walk);
    endWalk(walk, "2026-01-01T00:00:00Z");
  };
  return { forges, tell, openFiles: () => ({ ...noFiles, forges: freezeForges(forges) }) };
}

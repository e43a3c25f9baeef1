/** The machines of invented histories, with their signatures. */
import type { Signature } from "./invent-authors.ts";

interface Machine extends Signature {
  /** Subject of a commit; `#` is a number that grows. */
  readonly messages: readonly string[];
  readonly path: string;
}

export const machines: readonly Machine[] = [
  bot("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", "package.json"),
  bot("renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com", "package.json"),
  bot(
    "github-actions[bot]",
    "41898282+github-actions[bot]@users.noreply.github.com",
    "CHANGES.txt",
  ),
  bot("portal-translations[bot]", "translations[bot]@users.noreply.github.com", "locales/de.json"),
  bot("Portal Release", "release@portal.example", "CHANGELOG.md", "Release 2.#.0"),
  bot("Nightly Sync", "sync@warehouse.example", "data/rates.csv", "Nightly rates of day #"),
  bot("Autobuild", "autobuild@kv.example", "VERSION", "Build # of the main branch"),
  bot("docs-publisher", "docs-publisher@handbook.example", "site/index.html", "Publish site v#"),
  assistant("Claude", "noreply@anthropic.com"),
  assistant("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com"),
  assistant("Cursor Agent", "cursoragent@cursor.com"),
];

function bot(
  name: string,
  email: string,
  path: string,
  message = "Bump lodash to 4.17.#",
): Machine {
  return { name, email, messages: [message], path };
}

function assistant(name: string, email: string): Machine {
  const messages = [
    "Add the missing check of page #",
    "Explain why # retries are enough",
    "fix: read # entries at once",
    "Split the long function into #",
  ];
  return { name, email, messages, path: "docs/notes.txt" };
}

import type { Facts } from "../../../src/contract/people/facts.ts";
import type { Chance } from "./chance.ts";
import { asCommitFacts, makeCareer } from "./commits.ts";
import { monthOf } from "./months.ts";

const bots: readonly (readonly [name: string, reason: string])[] = [
  ["tidy-lockfile", "The login ends in [bot] on its forge."],
  ["version-bumper", "The login ends in [bot] on its forge."],
  ["merge-queue", "The login ends in [bot] on its forge."],
  ["licence-checker", "The login ends in [bot] on its forge."],
  ["nightly-release", "A name token of bots, and 98 % of messages follow two templates."],
  ["docs-publisher", "A name token of bots, and 99 % of messages follow one template."],
  ["translation-sync", "A name token of bots, and 97 % of messages follow two templates."],
  ["format-keeper", "A name token of bots, and only lock and manifest files."],
  ["schema-updater", "A name token of bots, and only lock and manifest files."],
  ["changelog-writer", "A name token of bots, and 96 % of messages follow three templates."],
  ["backport", "The login ends in [bot] on its forge."],
  ["issue-sweeper", "The login ends in [bot] on its forge."],
];
const assistants: readonly (readonly [name: string, reason: string])[] = [
  ["pair-helper", "Named as co-author by a trailer that coding assistants write."],
  ["code-companion", "Named as co-author by a trailer that coding assistants write."],
  ["draft-writer", "Commits with the address of a coding assistant."],
  ["test-suggester", "Commits with the address of a coding assistant."],
];

/** Bots and assistants: kept and labelled, with the reason, and left out of search. */
export function machines(chance: Chance): Facts[] {
  const make = (name: string, reason: string, kind: "bot" | "assistant"): Facts => {
    const career = makeCareer(chance, { start: monthOf("2021-02"), perMonth: 30 });
    return {
      login: `${name}-${kind}-example`,
      source: "demo",
      class: kind,
      classReason: reason,
      profile: { name: `${name} (${kind}, fictitious)` },
      emails: [{ address: `${name}@${kind}s.example`, sources: ["commits"], published: false }],
      repositories: [],
      commits: asCommitFacts(chance, career, false),
      evidence: [],
    };
  };
  return [
    ...bots.map(([name, reason]) => make(name, reason, "bot")),
    ...assistants.map(([name, reason]) => make(name, reason, "assistant")),
  ];
}

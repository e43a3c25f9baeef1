/** A run identifies only the parts that changed. Whoever else it identifies at once must make no difference. */
import { expect, test } from "bun:test";
import type { FrozenForges } from "../../../../src/ingest/forges/forge-content.ts";
import { readIdentityContext } from "../../../../src/ingest/git/erase/identify-remembered.ts";
import { identifyAuthors } from "../../../../src/ingest/git/identify/identify.ts";
import { createIdentityRules, noFiles } from "../../../../src/ingest/git/identify/rules.ts";
import { countRepositories } from "../../../../src/ingest/git/tally/tally.ts";
import { openLedger } from "../../../../src/ingest/ingest.ts";
import { rounds } from "../../../long.ts";
import { drawSeed } from "../../../random.ts";
import { type Draw, openDraw, spellings } from "../drawn-commits.ts";
import { inventCommit, storeHistory } from "../invented-history.ts";

/** Beside them, generic addresses that several people have, and one account's noreply addresses. */
const authors = [
  ...spellings,
  ...["Ada Example <ada@laptop>", "ada <ada@laptop>", "unknown <ada@laptop>"],
  ...["Cy Quill <root@localhost>", "Kim Other <list@lists.example>", "ben-s <ben@home.example>"],
  ...["Ada Example <1+ada@users.noreply.github.com>", "ada <ada@users.noreply.github.com>"],
];

const addresses =
  "ada@corp.example ben@corp.example olivia@corp.example old@corp.example ada@laptop root@localhost ada@users.noreply.github.com".split(
    " ",
  );

/** Two forges: accounts with or without an address, and answers that may name other owners. */
function drawForges({ chance, pick }: Draw): FrozenForges {
  const sources = [
    { source: "hub", forge: "github.com" },
    { source: "corp", forge: "git.corp.example" },
  ];
  const numbers = ["1", "2", "3"];
  const accounts = sources.flatMap((source) =>
    numbers.map((number) => ({
      ...{ ...source, number, login: `${pick(["ada", "ben-s", "zed"])}${number}`, isBot: false },
      ...{ formerLogins: [], profile: chance(0.5) ? { name: "Ada Example" } : {} },
      addresses: chance(0.5) ? [{ address: pick(addresses), isPublished: true }] : [],
    })),
  );
  const commitAuthors = sources.flatMap((source) =>
    addresses
      .filter(() => chance(0.3))
      .map((address) => ({
        ...{ ...source, address, askedAt: "2026-01-01T00:00:00Z" },
        owner: { login: "zed", number: pick(numbers) },
      })),
  );
  const content = { sources: [], accounts, repositories: [], reviews: [], commitAuthors };
  return { content: () => content, change: () => expect.unreachable() };
}

async function drawContext(draw: Draw) {
  const { below, chance, pick } = draw;
  const ledger = openLedger(":memory:", { version: "test", now: () => new Date("2026-01-01") });
  const drawn = Array.from({ length: 3 + below(9) }, () => pick(authors));
  for (const name of ["one", "two", "three"].slice(below(3))) {
    const commits = Array.from({ length: 2 + below(12) }, (_, at) =>
      inventCommit(
        {
          ...{ author: pick(drawn), rawEmail: chance(0.3) ? pick(addresses) : undefined },
          ...{ day: 20_000 + below(300), subject: "Add it", paths: ["a.go"] },
          coAuthors: chance(0.2) ? [pick(drawn)] : [],
        },
        `${name} ${at}`,
      ),
    );
    storeHistory(ledger, { name, owner: pick([undefined, "ada"]), commits });
  }
  await countRepositories(ledger, { asOf: "2026-01-01" });
  const files = chance(0.5) ? { ...noFiles, forges: drawForges(draw) } : noFiles;
  const kind = pick(["same", "different"] as const);
  const decision = { id: "decision", kind, a: pick(drawn), b: pick(drawn) };
  const rules = createIdentityRules(files, chance(0.3) ? [decision] : []);
  return { ledger, context: readIdentityContext(ledger, rules) };
}

test("a part that is identified alone has the people that it has among all", async () => {
  const seed = drawSeed("parts");
  for (let round = 0; round < rounds(300); round++) {
    const { ledger, context } = await drawContext(openDraw(seed + round));
    const { kept } = identifyAuthors(context, new Map());
    for (const [digest, part] of kept) {
      const others = new Map([...kept].filter(([other]) => other !== digest));
      const alone = identifyAuthors(context, others).kept.get(digest);
      expect([seed + round, alone]).toEqual([seed + round, part]);
    }
    ledger.close();
  }
});

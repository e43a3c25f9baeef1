/** Holds the naming rules of docs/architecture.md: one name, one thing; functions say what they do. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const sources = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync({ cwd: root })]
  .filter((path) => !path.endsWith(".d.ts"))
  .sort();

interface Export {
  readonly path: string;
  readonly kind: "function" | "value" | "type";
  readonly name: string;
}

const declaration =
  /^export (?:declare )?(?:async )?(function\*?|const|class|interface|type|enum) (\w+)( = (?:async )?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>)?/gm;

const kinds: Record<string, Export["kind"]> = { interface: "type", type: "type", enum: "type" };

function exportsOf(path: string): Export[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(declaration)].map(([, word = "", name = "", arrow]) => {
    const isFunction = word.startsWith("function") || arrow !== undefined;
    return { path, name, kind: isFunction ? "function" : (kinds[word] ?? "value") };
  });
}

const exported = sources.flatMap(exportsOf);

/** What an exported function may begin with. A new verb is welcome; a noun, an adjective or a participle is not. */
const verbs = new Set(
  (
    "abandon accept add adopt advance advise answer append apply are ask assemble assess assign authenticate award " +
    "back build call can carry catch check choose classify clean clear close collect compare compose compress compute " +
    "confirm convert copy count create cut decode decrypt define delete derive describe digest drop empty encrypt end erase examine " +
    "execute explain export extend fetch find fingerprint finish fold follow forget format forward freeze gather get group guard has hash identify " +
    "import ingest insert interpolate invent is iterate join judge keep lay list load lock log look make map mark match matches measure merge migrate " +
    "mirror mount normalise note observe open owns pack parse perform place plan prepare print probe propose prune publish purge put query " +
    "quote raise rank read rebuild reconcile record recount redirect refresh refuse release remove rename renew render repair " +
    "replace report require rescore resolve restore revoke rewrite round run scale score seal seek select send serve set " +
    "should show shrink sort spell split start stream strip suggest sum summarise swap sweep take to try unpack upgrade " +
    "verify view walk warn watch weaken write"
  ).split(" "),
);

/** Names that other people's code prescribes. */
const prescribed = new Set(["jsx", "jsxs", "jsxDEV"]);

describe("names", () => {
  test("no name is exported by two files, but by the two adapters of a port", () => {
    const files = Map.groupBy(exported, ({ name, path }) =>
      path.includes("/postgres/") ? `${name} in PostgreSQL` : name,
    );
    const doubled = [...files].flatMap(([name, found]) => {
      const paths = [...new Set(found.map(({ path }) => path))];
      return paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : [];
    });
    expect(doubled).toEqual([]);
  });

  test("an exported function begins with a verb", () => {
    const nouns = exported.filter(({ kind, name }) => {
      // A component of a page is called as a tag, and named for what it shows.
      if (kind !== "function" || /^[A-Z]/.test(name) || prescribed.has(name)) return false;
      return !verbs.has(/^[a-z]+/.exec(name)?.[0] ?? "");
    });
    expect(nouns.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });
});

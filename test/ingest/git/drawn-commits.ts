/** Commits that are drawn for real repositories, and written by git itself. */
import { createRandom } from "../../random.ts";
import { run } from "./invented-repository.ts";

export interface DrawnCommit {
  /** `Name <address>`. */
  readonly author: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
  readonly isMerge: boolean;
}

export function openDraw(seed: number) {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, pick, chance: (share: number) => random() < share };
}

export type Draw = ReturnType<typeof openDraw>;

/** Spellings that the rules of identity join, keep apart, or take for nobody's. */
export const spellings = [
  "Ada Example <ada@corp.example>",
  "Ada Example <ada.example@home.example>",
  "ada <ADA@corp.example>",
  "Ada B. Example <ada@corp.example>",
  "A. Example <aexample@corp.example>",
  "Ben Sample <ben@corp.example>",
  "Ben Sample <2+ben@noreply.forge.example>",
  "bsample <ben.sample@home.example>",
  "Olivia <olivia@corp.example>",
  "Olivia Other <oo@corp.example>",
  "olivia <olivia99@home.example>",
  "Root User <root@localhost>",
  "Ada Example <root@localhost>",
  "John Smith <john@one.example>",
  "John Smith <smith@two.example>",
  "Wei Wang <wei@corp.example>",
  "deploy-bot <deploy@corp.example>",
  "Cy Quill <cy@list.example>",
  "Dee Quill via List <list@lists.example>",
  "Ben Sample <12+ben-s@users.noreply.github.com>",
] as const;

/** The day on which drawn worlds begin. */
export const firstDay = "2026-11-21";
const firstSecond = Date.parse(`${firstDay}T00:00:00Z`) / 1000;

/** @param number another one for each commit, so that no two are alike by chance. */
export function drawCommit(draw: Draw, number: number): DrawnCommit {
  const { below, pick, chance } = draw;
  const others = ["Reviewed-by", "Co-authored-by", "Tested-by"].flatMap((kind) =>
    chance(0.12) ? [`${kind}: ${pick(spellings)}`] : [],
  );
  const marks = chance(0.1) ? ["Made-with: Cursor"] : [];
  const subject = pick(["Add the parser", "Fix it because it was wrong", "feat: print help", "v1"]);
  return {
    author: pick(spellings),
    at: firstSecond + drawDay(draw) * 86_400 + below(86_400),
    message: `${subject} ${number}\n\n${[...others, ...marks].join("\n")}\n`,
    files: drawFiles(draw, number),
    isMerge: chance(0.1),
  };
}

/** Mostly in the year before, often the same day, now and then one to come. */
function drawDay({ below, chance }: Draw): number {
  if (chance(0.3)) return -20;
  return chance(0.1) ? below(120) : -1 - below(300);
}

function drawFiles({ below, pick, chance }: Draw, number: number): Record<string, string> {
  const code = { [`src/${below(4)}.js`]: `const value = ${number};\n`.repeat(1 + below(3)) };
  if (chance(0.75)) return code;
  return pick([
    { "README.md": `# Tool\n\nA server for ${pick(["django", "games"])}.\n` },
    { "package.json": `{"dependencies": {"${pick(["react", "express"])}": "1.${number}.0"}}\n` },
    { CODEOWNERS: `* ada@corp.example\n/src/ @${pick(["ada", "ben"])} olivia@corp.example\n` },
    { ".mailmap": `${pick(mailmaps)}\n` },
    { "vendor/lib.js": `lib(${number});\n`, ...code },
    { "docs/guide.md": `Guide ${number}\n` },
    {},
  ]);
}

const mailmaps = [
  "Ada Example <ada@corp.example> <aexample@corp.example>",
  "Ben Sample <ben@corp.example> bsample <ben.sample@home.example>",
  "Olivia Other <oo@corp.example> <olivia@corp.example>\nCy Q <cy@corp.example> <cy@list.example>",
  "# nobody",
];

/** Adds commits to the main branch of a bare repository, oldest first. */
export function pushCommits(path: string, commits: readonly DrawnCommit[]): void {
  const count = Number(run(path, ["rev-list", "--count", "HEAD"]).toString());
  const parts = commits.map(({ author, at, message, files, isMerge }, order) => {
    const parents =
      (order === 0 ? "from refs/heads/main^0\n" : "") +
      (isMerge && order === 0 && count > 1
        ? `merge refs/heads/main~${1 + (at % (count - 1))}\n`
        : "");
    const changes = Object.entries(files).map(
      ([file, content]) =>
        `M 100644 inline ${file}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
    );
    return (
      `commit refs/heads/main\nauthor ${author} ${at} +0000\ncommitter ${author} ${at} +0000\n` +
      `data ${Buffer.byteLength(message)}\n${message}\n${parents}${changes.join("")}`
    );
  });
  run(path, ["fast-import", "--quiet"], Buffer.from(parts.join("")));
}

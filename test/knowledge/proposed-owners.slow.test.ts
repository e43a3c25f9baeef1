/** Proposed CODEOWNERS files, from git to the command line and back into git, on the real wiring. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseCodeOwners } from "../../src/ingest/git/ownership/code-owners.ts";
import {
  ada,
  git,
  type InventedCommit,
  inventRepository,
  run,
} from "../ingest/git/invented-repository.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { makeFolder } from "../temporary-folder.ts";

const shelf = makeFolder("proposed");
const olga = "Olga Alt <1+olga-alt@users.noreply.github.com>";
const ben = "Ben Sample <2+Ben-Sample@users.noreply.github.com>";
const dan = "Dan Trial <3+dan-trial@users.noreply.github.com>";
const fay = "Fay Draft <4+fay@users.noreply.github.com>";
const gus = "Gus Model <5+gus@users.noreply.github.com>";
const cara = "Cara Probe <cara@example.org>";
const eve = "Eve\u2028* @eve <eve@example.org>";

const content = (name: string, lines = 20) => `export const ${name} = 1;\n`.repeat(lines);
const fill = (folder: string, by: string, lines = 20) =>
  Object.fromEntries(
    ["a", "b", "c", "d"].map((name) => [`${folder}/${name}.ts`, content(name + by, lines)]),
  );
/** Three commits to each of four files, which leave no line of others. */
const work = (author: string, day: string, folder: string): readonly InventedCommit[] =>
  [20, 21, 22].map((lines) => ({
    ...{ author, at: day },
    files: fill(folder, author.slice(0, 3), lines),
  }));

const history: readonly InventedCommit[] = [
  ...work(olga, "2021-03-01", "src/old"),
  ...work(dan, "2026-01-10", "src/pay"),
  ...work(dan, "2026-01-11", "src/pay/cards"),
  ...work(ben, "2026-02-10", "src/old"),
  ...work(ben, "2026-02-11", "web [new]"),
  ...work(ben, "2026-02-12", "my docs #1"),
  ...["lib", "lib/io", "lib/net"].flatMap((folder) => work(fay, "2026-02-13", folder)),
  ...["app", "app/ui", "app/api"].flatMap((folder) => work(gus, "2026-02-14", folder)),
  ...work(cara, "2026-03-01", "ops"),
  ...work(eve, "2026-03-02", "tools"),
  ...work(ada, "2026-03-03", "test/fixtures"),
];
let made = 0;

interface Trial {
  /** Reads the history, anew when it has grown. */
  ingest(): Promise<void>;
  propose(...argv: string[]): Promise<{ code: number; out: string; err: string }>;
  /** Applies a diff in a clone and brings the commit back. @returns the file. */
  apply(diff: string, path: string): string;
}

async function tryProposal(
  files: Readonly<Record<string, string>>,
  use: (trial: Trial) => Promise<void>,
  remote = "https://github.com/example-org/shop.git",
  before = history,
): Promise<void> {
  const place = join(shelf, `${++made}`);
  const all = [...before, { author: ben, at: "2026-03-04", files }];
  const repository = inventRepository(join(place, "shop.git"), all);
  git(repository, "config", "remote.origin.url", remote);
  const line = openCommandLine();
  const data = ["--data", line.folder];
  const ingest = async () => {
    const ran = await line.run("ingest", "git", repository, ...data);
    if (ran.code !== 0) throw new Error(ran.err);
  };
  try {
    await ingest();
    await use({
      ingest,
      propose: (...argv) =>
        line.run("who", "--repository", "shop", "--format", "codeowners", ...argv, ...data),
      apply(diff, path) {
        const tree = join(place, "tree");
        rmSync(tree, { recursive: true, force: true });
        run(place, ["clone", "--quiet", repository, tree]);
        run(tree, ["apply", "-"], Buffer.from(diff));
        git(tree, "add", "--all");
        const email = "user.email=2+ben-sample@users.noreply.github.com";
        git(
          tree,
          "-c",
          "user.name=Ben Sample",
          "-c",
          email,
          "commit",
          "--quiet",
          "-m",
          "Name the owners",
        );
        git(tree, "push", "--quiet", "origin", "HEAD:main");
        return git(tree, "show", `HEAD:${path}`).toString();
      },
    });
  } finally {
    line.close();
  }
}

const asOf = "as of 2026-03-04.";

test("without a file, folders that few know get rows, which apply and are proposed once", async () => {
  await tryProposal({ "a.ts": content("a") }, async ({ ingest, propose, apply }) => {
    const ran = await propose();
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('no pattern can name them: "my docs #1", "web [new]".');
    expect(await propose()).toEqual(ran);
    const file = apply(ran.out, ".github/CODEOWNERS");
    expect(file).toMatchInlineSnapshot(`
      "# The last row that matches a file counts. Shares are of what is known of the files.

      # Roster: known by @gus (100 %), as of 2026-03-04.
      /app/ @gus
      # Roster: known by @fay (100 %), as of 2026-03-04.
      /lib/ @fay
      # Roster: /ops/ is known by Cara Probe (100 %, no account on github.com known), as of 2026-03-04.
      # Roster: known by @dan-trial (67 %), @Ben-Sample (32 %), as of 2026-03-04.
      /src/ @dan-trial @Ben-Sample
      # Roster: known by @Ben-Sample (96 %), as of 2026-03-04.
      /src/old/ @Ben-Sample
      # Roster: /tools/ is known by Eve * @eve (100 %, no account on github.com known), as of 2026-03-04.
      "
    `);
    const none = { code: 0, out: "", err: expect.stringContaining("proposes no change") };
    expect(await propose()).toEqual(none);
    await ingest();
    expect(await propose()).toEqual(none);
  });
}, 60_000);

const present = `# Who is asked.
/src/old/ @olga-alt  @stranger # for ever

/src/pay/ @olga-alt @example-org/payers
/ops/  cara@example.org
`;

test("rows of teams and comments stay, who left is replaced, and an address that the file has is used", async () => {
  const more = { "docs/CODEOWNERS": present, ...fill("ops2", "x") };
  await tryProposal(more, async ({ ingest, propose, apply }) => {
    const { out } = await propose();
    const file = apply(out, "docs/CODEOWNERS");
    expect(file).toMatchInlineSnapshot(`
      "# Roster: known by @gus (100 %), as of 2026-03-04.
      /app/ @gus
      # Roster: known by @fay (100 %), as of 2026-03-04.
      /lib/ @fay
      # Roster: known by @Ben-Sample (100 %), as of 2026-03-04.
      /ops2/ @Ben-Sample
      # Roster: /tools/ is known by Eve * @eve (100 %, no account on github.com known), as of 2026-03-04.

      # Who is asked.
      # Roster: without @olga-alt (no work in the repository since 2021-03-01); with @Ben-Sample (knows 96 %), as of 2026-03-04.
      /src/old/ @stranger @Ben-Sample # for ever

      # Roster: @olga-alt: no work in the repository since 2021-03-01, as of 2026-03-04.
      /src/pay/ @olga-alt @example-org/payers
      /ops/  cara@example.org
      "
    `);
    expect((await propose()).out).toBe("");
    await ingest();
    expect((await propose()).out).toBe("");
  });
}, 60_000);

test("sections of GitLab stay, and rows outside of them do not reach into them", async () => {
  const sections =
    "[Docs][2] @lead\n/src/pay/cards/\n\n^[Old]\n/src/old/ @olga-alt\n!/src/old/a.ts\n";
  const remote = "https://gitlab.com/example-org/shop.git";
  await tryProposal(
    { CODEOWNERS: sections },
    async ({ propose, apply }) => {
      const { out } = await propose();
      expect(apply(out, "CODEOWNERS")).toMatchInlineSnapshot(`
        "# Roster: /app/ is known by Gus Model (100 %, no account on gitlab.com known), as of 2026-03-04.
        # Roster: /lib/ is known by Fay Draft (100 %, no account on gitlab.com known), as of 2026-03-04.
        # Roster: /ops/ is known by Cara Probe (100 %, no account on gitlab.com known), as of 2026-03-04.
        # Roster: /tools/ is known by Eve * @eve (100 %, no account on gitlab.com known), as of 2026-03-04.
        # Roster: /web\\ \\[new\\]/ is known by Ben Sample (100 %, no account on gitlab.com known), as of 2026-03-04.

        [Docs][2] @lead
        /src/pay/cards/

        ^[Old]
        # Roster: @olga-alt: no work in the repository since 2021-03-01, as of 2026-03-04.
        /src/old/ @olga-alt
        !/src/old/a.ts
        "
      `);
      expect((await propose()).out).toBe("");
    },
    remote,
  );
}, 60_000);

test("a file that fits has no diff; who leaves, who counts as active, and how many rows are asked for", async () => {
  await tryProposal({ CODEOWNERS: "* @example-org/all\n" }, async ({ propose }) => {
    const ran = await propose();
    expect([ran.code, ran.out]).toEqual([0, ""]);
    expect(ran.err).toContain("CODEOWNERS of example-org/shop: history to 2026-03-04 proposes no");
  });
  await tryProposal({ CODEOWNERS: "/src/pay/ @dan-trial\n" }, async ({ propose }) => {
    expect((await propose("--limit", "1")).err).toContain("more folders have no row");
    expect((await propose("--without", "dan-trial")).out).toContain(
      `+# Roster: @dan-trial: as if they had left, ${asOf}`,
    );
    expect((await propose("--active-since", "2026-02-01")).out).toContain(
      `+# Roster: @dan-trial: no work in the repository since 2026-01-11, ${asOf}`,
    );
  });
}, 60_000);

const words = ["a", "b c", "#d", "e*", "[f]", "!g", "h\\\\i", "ü", "j #k", "l\nm", "test"];
const rounds = isLong ? 6 : 2;
const windows = "# why\r\na.ts @ben-sample @gus\r\n/b\\ c/";
const starts = ["", "a @example-org/all\n", "/a/ @olga-alt\n", windows];

test("whatever was done, what is proposed applies, and is proposed once", async () => {
  const draw = createRandom(drawSeed("proposed owners"));
  const pick = <One>(list: readonly One[]): One => list[Math.floor(draw() * list.length)] as One;
  let applied = 0;
  for (let round = 0; round < rounds; round++) {
    const drawn = Array.from({ length: 25 }, () => {
      const folder = Array.from({ length: 1 + Math.floor(draw() * 3) }, () => pick(words));
      const author = pick([olga, ben, dan, fay, gus, cara]);
      return work(author, pick(["2021-03-01", "2026-03-01"]), folder.join("/"));
    }).flat();
    const start = pick(starts);
    const path = ".github/CODEOWNERS";
    const limit = ["--limit", pick(["1", "3", "50"])];
    await tryProposal(
      { "x.ts": content("x"), ...(start !== "" && { [path]: start }) },
      async ({ propose, apply }) => {
        const { code, out, err } = await propose(...limit);
        expect(code).toBe(0);
        expect(out === "").toBe(err.includes("proposes no change"));
        if (out === "") return;
        applied += 1;
        const { unread } = parseCodeOwners(apply(out, path), { file: path, form: "github" });
        expect(unread).toEqual([]);
        expect((await propose(...limit)).out).toBe("");
      },
      undefined,
      drawn,
    );
  }
  expect(applied).toBeGreaterThan(rounds / 6);
}, 120_000);

test("what it cannot do is said", async () => {
  await tryProposal({}, async ({ propose }) => {
    const url = await propose("--url", "https://roster.example.com");
    expect([url.code, url.err]).toEqual([2, expect.stringContaining("next to the data folder")]);
    for (const [flag, value] of [["--json"], ["--path", "src"], ["--exclude", "ada"]]) {
      const ran = await propose(...[flag ?? "", value ?? []].flat());
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`leave out ${flag}`)]);
    }
    const absent = await propose("--repository", "shpo");
    expect([absent.code, absent.err]).toEqual([4, expect.stringContaining("did you mean")]);
    const day = await propose("--active-since", "soon");
    expect([day.code, day.err]).toEqual([2, expect.stringContaining("activeSince")]);
  });
  const gitea = "https://codeberg.org/example-org/shop.git";
  const refuse = async ({ propose }: Trial) => {
    const ran = await propose();
    expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("regular expressions")]);
  };
  await tryProposal({}, refuse, gitea);
}, 60_000);

/**
 * Somebody does what the documents say: every command of every block of shell, as it stands and in its order, on a machine of
 * their own. It ends as it should, and what comes is what the document shows.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { executable, isBuilt, type Said } from "./desk.ts";
import {
  beginsWithCommand,
  isShown,
  listBlocks,
  listPasted,
  type Pasted,
  readDocument,
  splitCommands,
} from "./documents/blocks.ts";
import { findObstacle, type Machine, openMachine } from "./documents/machine.ts";
import { startServer } from "./documents/possessions.ts";
import { readings } from "./documents/readings.ts";

/** Blocks that are not run, by their first command. At most ten. */
const notRun: Readonly<Record<string, string>> = {
  "README.md: scripts/server": "it runs this test, and builds for every platform: half an hour",
  "README.md: claude mcp add": "Claude Code is not here, and asks somebody else's servers",
  "docs/mcp.md: claude mcp add --transport":
    "as in README.md; the settings that it makes are tried",
  "docs/operation.md: sudo apt install ./":
    "there is no systemd; test/operation installs the package",
  "docs/operation.md: sudo apt install -y":
    "test/journeys/restore-elsewhere.slow.test.ts does it on an empty machine",
  "docs/growth.md: apt-get install":
    "builds Citus, which test/postgres/citus.ts does where it is wanted",
};

const obstacle = findObstacle();
if (obstacle) process.stderr.write(`SKIPPED: what documents say: ${obstacle}\n`);
for (const { document, lacks } of readings) {
  if (lacks) process.stderr.write(`SKIPPED: what ${document} says, for want of ${lacks}\n`);
}

const minutes = 60_000;

const whyNotRun = (document: string, { commands }: Pasted): string | undefined =>
  Object.entries(notRun).find(([begins]) => `${document}: ${commands[0]}`.startsWith(begins))?.[1];

/** A command that goes on until somebody ends it has a terminal of its own. */
const goesOn = (command: string): boolean =>
  /^(?:\w+=\S+ )*(?:\.\/roster$|roster serve\b)/.test(command);

async function run(machine: Machine, command: string): Promise<Said> {
  if (!goesOn(command)) return machine.paste(command);
  const { output } = await startServer(machine, command);
  return { exitCode: 0, stdout: output(), stderr: "" };
}

describe.skipIf(!isBuilt || obstacle !== undefined)("a document does not lie", () => {
  for (const reading of readings) {
    describe.skipIf(reading.lacks !== undefined)(reading.document, () => {
      let machine: Machine;
      const taken = new Set<unknown>();
      const page = readDocument(reading.document);
      beforeAll(async () => {
        machine = openMachine(executable);
        await reading.prepare(machine);
      }, 2 * minutes);
      afterAll(() => machine.clear());

      const takeSteps = async (when: "before" | "after", command: string, said: Said) => {
        for (const [begins, step] of Object.entries(reading[when] ?? {})) {
          if (!`${command} `.startsWith(`${begins} `)) continue;
          await step(machine, said, command);
          taken.add(step);
        }
      };
      const follow = async (command: string): Promise<string> => {
        await takeSteps("before", command, { exitCode: 0, stdout: "", stderr: "" });
        const said = await run(machine, command);
        const stderr = said.exitCode === 0 ? "" : said.stderr;
        expect({ command, exitCode: said.exitCode, stderr }).toMatchObject({
          exitCode: 0,
          stderr: "",
        });
        // curl is content with any answer.
        if (/^curl -s .*\/v1\//.test(command)) {
          expect(JSON.parse(said.stdout)).toMatchObject({ success: true });
        }
        await takeSteps("after", command, said);
        return said.stdout + said.stderr;
      };

      for (const pasted of listPasted(page)) {
        const [first] = pasted.commands;
        const why = whyNotRun(reading.document, pasted);
        test.skipIf(why !== undefined)(
          `${first?.split("\n")[0]}${why ? ` (not run: ${why})` : ""}`,
          async () => {
            let came = "";
            for (const command of pasted.commands) came += await follow(command);
            if (pasted.shown && !isShown(pasted.shown, came)) expect(came).toBe(pasted.shown);
          },
          3 * minutes,
        );
      }

      test("has the commands that its steps are about", () => {
        const steps = [reading.before, reading.after].flatMap((each) => Object.entries(each ?? {}));
        expect(steps.filter(([, step]) => !taken.has(step)).map(([begins]) => begins)).toEqual([]);
      });
    });
  }
});

describe("blocks of documents", () => {
  const root = join(import.meta.dir, "../..");
  const pages = ["*.md", "docs/*.md"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ]);
  const blocks = pages.flatMap((page) =>
    listBlocks(readDocument(page)).map((block) => ({ page, ...block })),
  );

  test("say what they are, and are shell where they begin with a command", () => {
    expect(pages).toContain("docs/operation.md");
    const wrong = blocks.filter(
      ({ language, text }) => language === "" || (language !== "sh" && beginsWithCommand(text)),
    );
    expect(wrong).toEqual([]);
    for (const { text } of blocks.filter(({ language }) => language === "json")) JSON.parse(text);
  });

  test("are read as a terminal reads them", () => {
    const text = "one 'a # b' \\\n  --two # why,\n     # and how\n\n# alone\nthree \"x\ny\"\n";
    expect(splitCommands(text)).toEqual(["one 'a # b' \\\n  --two", 'three "x\ny"']);
  });

  test("show what comes, but for numbers, widths, and what they leave out", () => {
    const came = "name   age\nada    36\nben    41\nreceipt ers_1a2b\n";
    const isTrue = ["name age\nada  1", "ada 36\n...\nreceipt ers_...", "ben 41"];
    const isFalse = ["ada 36\nreceipt ers_...", "da 36", "ben", "cleo 41"];
    expect(isTrue.filter((shown) => !isShown(shown, came))).toEqual([]);
    expect(isFalse.filter((shown) => isShown(shown, came))).toEqual([]);
  });

  test("that are not run are few, there, and told why", () => {
    expect(Object.keys(notRun).length).toBeLessThanOrEqual(10);
    const begins = readings.flatMap(({ document }) =>
      listPasted(readDocument(document)).map(({ commands }) => `${document}: ${commands[0]}`),
    );
    for (const block of Object.keys(notRun)) {
      expect(begins.filter((begin) => begin.startsWith(block))).toHaveLength(1);
    }
  });

  test.skipIf(!isBuilt || obstacle !== undefined)(
    "that are settings are taken as roster.toml",
    async () => {
      const machine = openMachine(executable);
      try {
        for (const { page, text } of blocks.filter(({ language }) => language === "toml")) {
          for (const [, file = ""] of text.matchAll(/File = "([\w.-]+)"/g)) {
            machine.write(file, "invented", 0o600);
          }
          machine.write("shown.toml", text);
          const { exitCode, stderr } = await machine.paste(
            "roster config show --config shown.toml",
          );
          expect({ page, exitCode, stderr }).toEqual({ page, exitCode: 0, stderr: "" });
        }
      } finally {
        await machine.clear();
      }
    },
    minutes,
  );
});

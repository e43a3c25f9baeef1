/** Whatever happens to notes and commits between runs, reading what changed ends where reading everything anew ends. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { listPlaces } from "../../../../src/ingest/git/ledger/places.ts";
import { readSummary } from "../../../../src/ingest/git/report.ts";
import { isLong } from "../../../long.ts";
import { createRandom, drawSeed } from "../../../random.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inventRepository, run } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";
import {
  addNote,
  composeAgentNote,
  composeNote,
  listCommits,
  removeNote,
  removeNotes,
} from "./invented-notes.ts";

const folder = makeFolder("notes-equality");
const rounds = isLong ? 16 : 2;
const stepsInRound = 12;
const commitsInAll = 12;

test("runs that read other notes end where reading everything anew ends", async () => {
  const seed = drawSeed("notes");
  let noted = 0;
  for (let round = 0; round < rounds; round++) noted += await play(seed + round);
  expect(noted).toBeGreaterThan(0);
});

/** @returns how many notes were believed at the ends of runs. */
async function play(seed: number): Promise<number> {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const path = inventRepository(
    join(folder, `${seed}.git`),
    Array.from({ length: commitsInAll }, (_, at) => ({
      ...{ at: 1_760_000_000 + at * 3600, message: `Add the part ${at}` },
      files: { [`part-${at}.js`]: "line();\n".repeat(4) },
    })),
  );
  const all = listCommits(path);
  const data = openData();
  const told: string[] = [];
  let noted = 0;
  const steps = {
    add: (at: number, commit: string) => addNote(path, commit, drawText(at, commit)),
    remove: (_: number, commit: string) => {
      if (run(path, ["notes", "--ref=ai", "list"]).includes(commit)) removeNote(path, commit);
    },
    clear: () => removeNotes(path),
    move: (_: number, commit: string) => run(path, ["update-ref", "refs/heads/main", commit]),
  };
  const drawText = (at: number, commit: string): string =>
    [
      () => composeAgentNote(commit, `part-${at}.js`, "1-4", ["claude", "codex"][below(2)]),
      () => composeNote({ base: commit }),
      () => composeAgentNote(commit, `part-${at}.js`, "1-5"),
      () => "no note",
    ][below(4)]?.() ?? "";
  for (let step = 0; step < stepsInRound; step++) {
    const name = (["add", "add", "add", "remove", "clear", "move"] as const)[below(6)] ?? "add";
    const at = below(all.length);
    if (name === "clear" && random() < 0.6) continue;
    steps[name](at, all[at] ?? "");
    told.push(`${name} ${at}`);
    if (random() < 0.4) continue;
    await data.ingest([path]);
    const fresh = openData();
    const report = await fresh.ingest([path]);
    const [one, other] = [await describe(data), await describe(fresh)];
    if (one !== other) throw new Error(`TEST_SEED=${seed} differs after: ${told.join(", ")}`);
    noted += report.summaries[0]?.notes?.assisted ?? 0;
  }
  return noted;
}

async function describe({ exported, ledger, pool }: ReturnType<typeof openData>): Promise<string> {
  const [place] = listPlaces(ledger);
  const [repository] = await pool.authorship.repositories();
  const flags = repository && (await pool.authorship.head(repository.id))?.columns.flags;
  const summary = place && readSummary(ledger, place);
  return JSON.stringify([await exported(), place?.notes, summary, flags]);
}

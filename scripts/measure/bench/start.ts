/**
 * How long the executable takes from its start to its first answer 200, with the demo people loaded, compared with the
 * least that a program of this stack can do (`bare/start-program.ts`). Paired runs, medians, the ratio. Three first
 * answers are each held to the bar: /readyz, which is 200 only when the index is loaded and a write has succeeded; a
 * profile; and a search, which also reads the gazetteer and the vocabulary. A start on an empty folder, which also
 * installs the demo people, must reach /readyz within two seconds.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineMeasurement } from "../measurement.ts";
import { compileProgram, type FirstQuestion, roster, timeToAnswer } from "../processes.ts";
import { atMost, comparePairs, median } from "../rows.ts";

const bar = 4;
const firstBar = 2000;

export const measurement = defineMeasurement({
  about: "From the start of the executable to its first answer, against a bare program.",
  needs: "dist/roster",
  options: { runs: 10 },
  async run({ runs, work }) {
    const bare = compileProgram(join(import.meta.dir, "../bare/start-program.ts"), work);
    const data = join(work, "data");
    const keyFile = join(work, "key");
    const serve = ["serve", "--data", data, "--admin-key-file", keyFile, "--log-level", "silent"];
    const questions = listQuestions(keyFile);
    const timeStart = (question: FirstQuestion) =>
      timeToAnswer([...roster, ...serve], {}, question);
    const empty: number[] = [];
    for (let run = 0; run < Math.min(runs, 5); run++) {
      // The starts below use the folder that the last of these leaves.
      rmSync(data, { recursive: true, force: true });
      empty.push(await timeStart(questions.ready));
    }
    const first = { name: "start.empty-folder-ready", value: median(empty), unit: "ms" };
    const rows = [atMost(firstBar, first)];
    for (const [name, question] of Object.entries(questions)) {
      const ours: number[] = [];
      const values: number[] = [];
      for (let run = 0; run < runs; run++) {
        ours.push(await timeStart(question));
        values.push(await timeToAnswer([bare], { DATA: data }));
      }
      const about = { name: `start.${name}`, unit: "ms" };
      rows.push(atMost(bar, comparePairs(about, ours, { what: "a bare program", values })));
    }
    return { rows };
  },
});

function listQuestions(keyFile: string): Record<"ready" | "get" | "search", FirstQuestion> {
  const headers = () => ({
    "x-api-key": readFileSync(keyFile, "utf8").trim(),
    "content-type": "application/json",
  });
  const body = JSON.stringify({ location: "Berlin", skills: ["Go"] });
  return {
    ready: () => ({ path: "/readyz" }),
    get: () => ({ path: "/v1/users/ada-example", init: { headers: headers() } }),
    search: () => ({ path: "/v1/search", init: { method: "POST", headers: headers(), body } }),
  };
}

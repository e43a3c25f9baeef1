/** The folder rules and the wildcards of headers, against the names that 137 public repositories use for their own things. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();
const readRows = (path: string) =>
  readFileSync(join(import.meta.dir, path), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));

/** By skill or class and repository. */
const right = new Set(
  readRows("../../scripts/measure/bed/expected.tsv").flatMap(([, of, repositories = ""]) =>
    repositories.split(" ").map((repository) => `${of} ${repository}`),
  ),
);

/** Right by the name, while other rules leave these files out: they are tests, documents or foreign. */
const leftOut = new Set([
  "i18n dlang/dub",
  "i18n rstudio/shiny",
  "llama-cpp ml-explore/mlx",
  "mpi ml-explore/mlx",
  "packaging qbittorrent/qBittorrent",
  "prose apache/commons-lang",
  "prose edicl/hunchentoot",
  "prose httpie/cli",
  "prose jqlang/jq",
  "prose lua/lua",
  "prose ocsigen/lwt",
  "prose preservim/nerdtree",
  "prose tpope/vim-fugitive",
  "service jhy/jsoup",
  "service restsharp/RestSharp",
  "service rollup/rollup",
  "service softwaremill/sttp",
  "web-backend i18next/i18next",
  "web-backend kemalcr/kemal",
  "web-backend ninenines/cowboy",
]);

test("no folder and no header of a repository is taken for something that it is not about", () => {
  const strangers = new Set<string>();
  let found = 0;
  const judge = (of: string, repository: string, name: string) => {
    found++;
    const pair = `${of} ${repository}`;
    if (!right.has(pair) && !leftOut.has(pair)) strangers.add(`${pair}: ${name}`);
  };
  for (const [repository = "", folders = "", headers = ""] of readRows("bed-names.tsv")) {
    for (const folder of folders.split(" ")) {
      const [name, endings = ""] = folder.split(":");
      for (const ending of endings.split(",")) {
        const ofFile = vocabulary.pathClasses(`x.${ending}`);
        const classes = vocabulary.pathClasses(`${name}/x.${ending}`);
        for (const each of classes) if (!ofFile.includes(each)) judge(each, repository, folder);
      }
    }
    for (const header of headers.split(" ")) {
      const skill = header && vocabulary.packageSkill("c", header);
      if (skill) judge(skill.id, repository, `${header}.h`);
    }
  }
  expect([...strangers]).toEqual([]);
  expect(found).toBeGreaterThan(500);
});

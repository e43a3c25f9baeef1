/** The rules of folders, headers and packages, against the names that 137 public repositories use for their own things. */
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

/** Right by the name, while other rules leave these files out (tests, documents, foreign files), or no file imports the name. */
const leftOut: Readonly<Record<string, string>> = {
  elm: "elm/compiler",
  i18n: "dlang/dub rstudio/shiny",
  "llama-cpp": "ml-explore/mlx",
  logging: "Seldaek/monolog",
  mpi: "ml-explore/mlx",
  packaging: "qbittorrent/qBittorrent",
  prose:
    "apache/commons-lang edicl/hunchentoot httpie/cli jqlang/jq lua/lua ocsigen/lwt preservim/nerdtree tpope/vim-fugitive",
  purescript: "purescript/purescript",
  service: "jhy/jsoup restsharp/RestSharp rollup/rollup softwaremill/sttp",
  "web-backend": "i18next/i18next kemalcr/kemal ninenines/cowboy",
};

test("no folder, header or package of a repository is taken for something that it is not about", () => {
  const strangers = new Set<string>();
  let found = 0;
  const judge = (of: string, repository: string, name: string) => {
    found++;
    const isLeftOut = leftOut[of]?.split(" ").includes(repository);
    if (!right.has(`${of} ${repository}`) && !isLeftOut)
      strangers.add(`${of} ${repository}: ${name}`);
  };
  for (const [repository = "", folders = "", headers = "", packages = ""] of readRows(
    "bed-names.tsv",
  )) {
    for (const folder of folders.split(" ")) {
      const [name, endings = ""] = folder.split(":");
      for (const ending of endings.split(",")) {
        const ofFile = vocabulary.pathClasses(`x.${ending}`);
        const classes = vocabulary.pathClasses(`${name}/x.${ending}`);
        for (const each of classes) if (!ofFile.includes(each)) judge(each, repository, folder);
      }
    }
    for (const name of [...headers.split(" ").map((each) => `c:${each}`), ...packages.split(" ")]) {
      const [ecosystem = "", ...rest] = name.split(":");
      const skill = vocabulary.packageSkill(ecosystem, rest.join(":"));
      if (skill) judge(skill.id, repository, name);
    }
  }
  expect([...strangers]).toEqual([]);
  expect(found).toBeGreaterThan(500);
});

/** What a README says, and of whom. */
import { expect, test } from "bun:test";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";
import { ada, ben, type InventedCommit, openInventor } from "../invented-repository.ts";
import { read } from "../read.ts";

const invent = openInventor();
const vocabulary = createVocabulary();

async function readmesOf(commits: readonly InventedCommit[]) {
  const { people } = await read([invent(commits)], { vocabulary });
  return people.flatMap(({ profile, evidence }) =>
    evidence
      .filter(({ kind }) => kind === "readme")
      .map(({ name, commits: count }) => `${profile.name}: ${name} ${count}`),
  );
}

const readme = { "README.md": "# App\nA dashboard for Kubernetes, written in TypeScript.\n" };

test("a README speaks for the owner who wrote in it, by the newest tree", async () => {
  const found = await readmesOf([
    { author: ada, files: { README: "A dashboard for Docker Swarm.\n" } },
    { author: ada, rename: ["README", "README.md"] },
    { author: ada, files: readme },
    { author: ada },
    { author: ben, files: { "README.md": `${readme["README.md"]}More.\n` } },
  ]);
  expect(found.sort()).toEqual(["Ada Example: kubernetes 3", "Ada Example: typescript 3"]);
});

test("it speaks for nobody where nobody is the owner, nor for an owner who never wrote in it", async () => {
  expect(await readmesOf([{ author: ada, files: readme }, { author: ben }])).toEqual([]);
  const others = [{ author: ben }, { author: ben }];
  expect(await readmesOf([{ author: ada, files: readme }, ...others])).toEqual([]);
});

test("words that are names too, code and addresses are not read; nor other files of that name", async () => {
  const text = [
    "Go to the next page, then react to a swift answer in R.",
    "```sh\nterraform apply\n```",
    "[guide](https://example.com/ansible) <img src=redis.svg>",
    "",
  ].join("\n");
  const files = { "README.md": text, "docs/README.md": "Uses PostgreSQL.\n" };
  expect(await readmesOf([{ author: ada, files }])).toEqual([]);
});

/**
 * Makes seed/vocabulary/languages.txt from npm's linguist-languages: every language of GitHub Linguist that our own lists
 * lack. Where our lists use Linguist's name for another skill (Vue, NumPy), or where the language belongs to a group
 * (TSX), the line names the skill that is meant.
 *
 *   scripts/seed languages
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as linguist from "linguist-languages";
import { normalise } from "../../src/vocabulary/normalise.ts";

interface Language {
  readonly name: string;
  readonly type: "programming" | "markup" | "data" | "prose";
  readonly group?: string;
  readonly aliases?: readonly string[];
}

const seed = join(import.meta.dir, "../../seed/vocabulary");
const output = join(seed, "languages.txt");
// These lists define no skills of their own.
const notSkills = ["languages", "paths", "roles", "ambiguous", "packages", "broader"].map(
  (name) => `${name}.txt`,
);

/** Languages that stand for a skill with another name; an empty one stands for none. */
const meant: Readonly<Record<string, string>> = {
  Dockerfile: "docker",
  Makefile: "gnu-make",
  Gradle: "gradle",
  "Gradle Kotlin DSL": "gradle",
  "Maven POM": "maven",
  Nginx: "nginx",
  HAProxy: "haproxy",
  ApacheConf: "apache-httpd",
  Caddyfile: "caddy",
  Prisma: "prisma",
  SVG: "svg",
  "OpenAPI Specification v2": "openapi",
  "OpenAPI Specification v3": "openapi",
  "OASv2-json": "openapi",
  "OASv2-yaml": "openapi",
  "OASv3-json": "openapi",
  "OASv3-yaml": "openapi",
  "Avro IDL": "avro",
  "Unity3D Asset": "unity",
  "Godot Resource": "godot",
  "SELinux Policy": "selinux",
  "WebAssembly Interface Type": "webassembly",
  "Protocol Buffer": "protobuf",
  "Protocol Buffer Text Format": "protobuf",
  RMarkdown: "rmarkdown",
  "DNS Zone": "dns",
  SPARQL: "knowledge-graphs",
  Turtle: "knowledge-graphs",
  "Web Ontology Language": "knowledge-graphs",
  "KiCad Layout": "kicad",
  "KiCad Schematic": "kicad",
  "KiCad Legacy Layout": "kicad",
  "ROS Interface": "ros",
  "Terraform Template": "terraform",
  "Linux Kernel Module": "operating-systems",
  "HTML+ERB": "rails",
  "HTML+EEX": "phoenix",
  "HTML+PHP": "php",
  "HTML+Razor": "asp.net",
  Blade: "laravel",
  Ninja: "ninja-build",
  "Altium Designer": "altium",
  "Vim Snippet": "vim-script",
  "Jupyter Notebook": "jupyter-notebook",
  "Wolfram Language": "mathematica",
  "Cloud Firestore Security Rules": "firestore",
  "World of Warcraft Addon Data": "game-modding",
  Eagle: "pcb",
  PlantUML: "plantuml",
  "Rich Text Format": "",
  Text: "",
  Kit: "",
  Tea: "",
  Mask: "",
  Edge: "",
  Bru: "",
  Click: "",
  ZAP: "",
  Pact: "",
  Opa: "",
  SIP: "",
  Ink: "",
  ECLiPSe: "",
  Blueprint: "",
  Pic: "",
  Muse: "",
};

const skills = new Map<string, { id: string; type: string }>();
for (const file of readdirSync(seed)) {
  if (!file.endsWith(".txt") || notSkills.includes(file)) continue;
  let type = "";
  for (const line of readFileSync(join(seed, file), "utf8").split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    if (line.startsWith("[")) type = line.slice(1, -1);
    else take(line, type);
  }
}

function take(line: string, type: string): void {
  const [entry = "", aliases = ""] = line.split("|").map((part) => part.trim());
  const { name = entry, id = idOf(entry) } =
    /^(?<name>.+?)(?: \((?<id>[^()]+)\))?$/.exec(entry)?.groups ?? {};
  for (const text of [name, id, ...aliases.split(",")]) {
    if (text.trim()) skills.set(normalise(text), { id, type });
  }
}

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#*.]+/gu, "-")
    .replace(/^-|-$/g, "");
}

const languages = (Object.values(linguist) as unknown as Language[])
  .filter(({ name }) => name)
  // Our lists write ids in brackets. Names are compared without punctuation.
  .map((language) => ({ ...language, name: language.name.replace(/ \((.+)\)$/, " $1") }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const wanted = languages.filter(
  ({ name, type }) =>
    meant[name] !== "" &&
    (type === "programming" || type === "markup" || meant[name] !== undefined),
);

// Names come first, so that no language loses its own name to an alias of another; then aliases that are still free.
const own: Language[] = [];
const spelt: [string, string][] = [];
for (const language of wanted) {
  const known = skills.get(normalise(language.name));
  const target = meant[language.name];
  if (target !== undefined && target !== "") spelt.push([language.name, target]);
  else if (known) {
    if (known.type !== "language") spelt.push([language.name, known.id]);
  } else if (
    language.group &&
    language.group !== language.name &&
    wanted.some(({ name }) => name === language.group)
  ) {
    spelt.push([language.name, language.group]);
  } else {
    own.push(language);
    skills.set(normalise(language.name), { id: idOf(language.name), type: "language" });
  }
}
const lines = own.map(({ name, aliases = [] }) => {
  const id = idOf(name);
  const free = aliases.filter((alias) => {
    const key = normalise(alias);
    if (key.length < 2 || skills.has(key)) return false;
    skills.set(key, { id, type: "language" });
    return true;
  });
  return free.length > 0 ? `${name} | ${free.join(", ")}` : name;
});
const spellings = spelt.map(([name, target]) => {
  const skill = skills.get(normalise(target));
  if (!skill) throw new Error(`${name} means ${target}, which is no skill`);
  return `${name} => ${skill.id}`;
});

writeFileSync(
  output,
  `# Generated by scripts/seeding/languages.ts from linguist-languages (MIT). Edit languages-everyday.txt instead.\n\n` +
    `[language]\n${lines.join("\n")}\n\n[spelling]\n${spellings.join("\n")}\n`,
);
console.log(
  `${wanted.length} languages of Linguist: ${lines.length} added, ${spellings.length} meant by another name.`,
);

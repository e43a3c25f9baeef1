/** What one repository meets of the vocabulary: each rule with a file or a sentence that shows it. */
import { findDefinition } from "../../../src/ingest/git/evidence/definition.ts";
import { findImports, listImports } from "../../../src/ingest/git/evidence/imports.ts";
import { findManifest } from "../../../src/ingest/git/evidence/kinds.ts";
import { collectOwnFiles } from "../../../src/ingest/git/evidence/own-files.ts";
import { findKnownPackage } from "../../../src/ingest/git/evidence/package-names.ts";
import {
  findDefining,
  formatProduct,
  listDefined,
} from "../../../src/ingest/git/evidence/products.ts";
import { findProse, listPathClasses } from "../../../src/ingest/git/evidence/prose.ts";
import { findReadme } from "../../../src/ingest/git/evidence/read-tree.ts";
import {
  findDescription,
  selectDescribing,
} from "../../../src/ingest/git/evidence/stated-description.ts";
import {
  createNameCheck,
  listAnnounced,
  listDescribed,
} from "../../../src/ingest/git/evidence/subjects.ts";
import { evidenceBytesMax, readFileTexts } from "../../../src/ingest/git/evidence/text-files.ts";
import type { Git } from "../../../src/ingest/git/git-command.ts";
import { readNewestTree } from "../../../src/ingest/git/repository/newest-tree.ts";
import type { FoundRepository } from "../../../src/ingest/git/repository/view.ts";
import type { Linguist } from "../../../src/ingest/linguist/linguist.ts";
import type { Vocabulary } from "../../../src/vocabulary/vocabulary.ts";
import type { openPackageRules, openPathRules } from "./rules.ts";

export interface Sighting {
  /** The rule, such as `package c:ogr*`, `path dir:recipes` or `readme sentence`. */
  readonly rule: string;
  /** The skill that the rule gives, or the class of a path. */
  readonly skill: string;
  /** The file or sentence that meets it first. */
  readonly sample: string;
  /** The files that show it: for what a README or manifest says, all source below its folder. */
  readonly files: Set<string>;
}

interface Context {
  readonly git: Git;
  readonly linguist: Linguist;
  readonly vocabulary: Vocabulary;
  readonly packageRule: ReturnType<typeof openPackageRules>;
  readonly pathRules: ReturnType<typeof openPathRules>;
}

/** Reads the newest tree of a repository as ingest does. */
export async function listSightings(
  found: FoundRepository,
  { git, linguist, vocabulary, packageRule, pathRules }: Context,
) {
  const { files, kindOf } = await readNewestTree(git, found, linguist);
  const own = files.filter(({ path, bytes }) => {
    const { vendored, generated } = kindOf(path);
    return bytes > 0 && !vendored && !generated;
  });
  const prose = findProse(files, kindOf);
  const sightings = new Map<string, Sighting>();
  const see = (rule: string, skill: string, sample: string, paths: readonly string[]) => {
    const sighting = { rule, skill, sample, files: new Set<string>() };
    const { files } = sightings.getOrInsert(`${rule} ${skill}`, sighting);
    for (const path of paths) files.add(path);
  };
  for (const { path } of own) {
    const classes = listPathClasses(path, { prose, vocabulary });
    for (const { text, of } of pathRules(path)) {
      if (classes.includes(of)) see(`path ${text}`, of, path, [path]);
    }
  }
  const small = own.filter(({ bytes }) => bytes <= evidenceBytesMax);
  const readme = findReadme(small);
  const name = found.origin.name.slice(found.origin.name.lastIndexOf("/") + 1);
  const ownFiles = collectOwnFiles(small, name);
  const source = own.filter(({ path }) => kindOf(path).counts && !kindOf(path).documentation);
  const sourceIn = (folder: string) =>
    source.flatMap(({ path }) => (path.startsWith(folder) ? [path] : []));
  const names = createNameCheck(source, vocabulary);
  const context = { name, isBook: prose.isWhole, ownFiles, names, vocabulary };
  const describing = selectDescribing(small);
  await readFileTexts(git, found.directory, small, ({ path, sha }, text) => {
    const file = { path, text };
    if (!kindOf(path).documentation && (findImports(path) || findManifest(path))) {
      for (const each of findManifest(path)?.(text) ?? listImports(path, text, ownFiles)) {
        const [ecosystem = "", ...rest] = findKnownPackage(each, vocabulary)?.split(":") ?? [];
        const rule = ecosystem && packageRule(ecosystem, rest.join(":"));
        const sample = `${ecosystem}:${rest.join(":")} in ${path}`;
        if (rule) see(`package ${rule.text}`, rule.of, sample, [path]);
      }
    }
    if (findDefining(path)) {
      for (const product of listDefined(file, context)) {
        const folder = path.slice(0, path.lastIndexOf("/") + 1);
        const skill = vocabulary.productSkill(product)?.id ?? "";
        see("product package", skill, `${product} in ${path}`, sourceIn(folder));
      }
    }
    if (sha === readme?.sha && path === readme.path) {
      const { title, sentence, line } = findDefinition(text, name);
      const words = [title, sentence, line].join(" | ");
      for (const subject of listDescribed(file, context)) {
        see("readme", subject, words, sourceIn(""));
      }
    }
    if (describing.some((one) => one.path === path)) {
      const words = `${path}: ${findDescription(path, text).join(" | ")}`;
      for (const subject of listAnnounced(file, context)) {
        see("manifest", subject, words, sourceIn(""));
      }
    }
  });
  const product = formatProduct(found.origin);
  const known = product && vocabulary.productSkill(product);
  if (known) see("product repository", known.id, product, sourceIn(""));
  return [...sightings.values()];
}

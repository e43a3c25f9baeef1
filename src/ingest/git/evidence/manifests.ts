/** Finds the parser of a manifest. A manifest that does not parse names no packages. */
import {
  cargo,
  composer,
  conda,
  gems,
  goMod,
  gradle,
  gradleCatalog,
  maven,
  mix,
  npm,
  nuget,
  pipfile,
  pods,
  pub,
  pyproject,
  rDescription,
  requirements,
  setupCfg,
  setupPy,
  swiftPackages,
} from "./manifest-formats.ts";
import { markForDevelopment, type Parse } from "./manifest-text.ts";
import { actions, compose, docker, terraform } from "./tool-files.ts";

/** The parser of a path; undefined when it is no manifest. */
export function findManifest(path: string): Parse | undefined {
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (isWorkflow.test(path)) return actions;
  return byName.get(base) ?? byPattern.find(([pattern]) => pattern.test(base))?.[1];
}

const isWorkflow = /(^|\/)\.github\/workflows\/[^/]+\.ya?ml$/;

/** A map instead of an object, since a file may be called `constructor`. */
const byName = new Map(
  Object.entries<Parse>({
    "package.json": npm,
    "composer.json": composer,
    "pyproject.toml": pyproject,
    Pipfile: pipfile,
    "setup.py": setupPy,
    "setup.cfg": setupCfg,
    "Cargo.toml": cargo,
    "go.mod": goMod,
    "pom.xml": maven,
    "build.gradle": gradle,
    "build.gradle.kts": gradle,
    "libs.versions.toml": gradleCatalog,
    Gemfile: gems,
    "mix.exs": mix,
    "pubspec.yaml": pub,
    "Package.swift": swiftPackages,
    Podfile: pods,
    DESCRIPTION: rDescription,
    Dockerfile: docker,
    Containerfile: docker,
  }),
);

const byPattern: readonly (readonly [RegExp, Parse])[] = [
  [
    /^((dev|test|lint|docs?)[-_]requirements|requirements[-_](dev|tests?|lint|docs?)[^/]*)\.(txt|in)$/,
    (text) => markForDevelopment(requirements(text)),
  ],
  [/^requirements[^/]*\.(txt|in)$/, requirements],
  [/^(Dockerfile\..+|.+\.[Dd]ockerfile)$/, docker],
  [/^(docker-)?compose.*\.ya?ml$/, compose],
  [/\.(cs|fs|vb)proj$|^packages\.config$|^Directory\.Packages\.props$/, nuget],
  [/\.gemspec$/, gems],
  [/^environment[^/]*\.ya?ml$/, conda],
  [/\.tf$/, terraform],
];

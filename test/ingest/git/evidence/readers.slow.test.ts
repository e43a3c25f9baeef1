/** Every reader of packages takes any input: it names packages or none, and comes to an end. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findImports, listImports } from "../../../../src/ingest/git/evidence/imports.ts";
import { findManifest } from "../../../../src/ingest/git/evidence/kinds.ts";
import { rounds } from "../../../long.ts";

const manifests = (
  "package.json requirements.txt pyproject.toml setup.py setup.cfg environment.yml Pipfile Cargo.toml go.mod pom.xml build.gradle " +
  "libs.versions.toml Gemfile a.gemspec a.csproj mix.exs pubspec.yaml Package.swift Podfile DESCRIPTION composer.json Dockerfile " +
  "compose.yaml main.tf .github/workflows/a.yml CMakeLists.txt meson.build configure.ac Makefile a.mk a.pro vcpkg.json " +
  "conanfile.txt conanfile.py library.properties platformio.ini a.opam dune dune-project a.cabal package.yaml rebar.config " +
  "a.rockspec cpanfile Makefile.PL dist.ini META.json Project.toml flake.nix Chart.yaml requirements.yml galaxy.yml meta/main.yml"
).split(" ");
const sources =
  "js py ipynb R go rs java rb php cs ex dart swift c h m ino F90 hs ml erl lua pm jl nix"
    .split(" ")
    .map((extension) => `a.${extension}`);

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ...manifests.map((path) => [path, (text: string) => findManifest(path)?.(text)] as const),
  ...sources.map((path) => [path, (text: string) => listImports(path, text)] as const),
];

test("each of these files has a reader", () => {
  expect(manifests.filter((path) => !findManifest(path))).toEqual([]);
  expect(sources.filter((path) => !findImports(path))).toEqual([]);
});

const pieces =
  "depends:|[|]|(|)|{|}|\"|'|,|=|=>|:|- |#|#include <|pragma omp|\n|\n  |use |import |open |requires |find_package(|dependency(" +
  "|target_link_libraries(|pkg-config |-l|build-depends:|{deps,[|(depends|(libraries |dependencies = {|lib_deps =|a|A|a.b|A::B|1.0|>= |name: |\\";
const fragment = fc.constantFrom(...pieces.split("|"));

test("no input throws, and a name is never empty", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...manifests, ...sources), text, (path, content) => {
      const found = findManifest(path)?.(content) ?? listImports(path, content);
      for (const { spellings } of found) expect(spellings[0]).not.toBe("");
    }),
    { numRuns: rounds(2000) },
  );
});

/** What makes patterns go back and forth: beginnings without an end, and long runs of one sign. */
const hostile =
  'target_link_libraries(a|pkg_check_modules(a |find_package(|PKG_CHECK_MODULES([a],[|pkg-config |depends: [|"a" {|(libraries |' +
  "(depends (|{deps,[|dependencies={|build-depends: |lib_deps =\n  |PKGCONFIG|#include <|#if a|use , a|import |use parent qw |" +
  "require(|==|>| |\t|\n|\r\n|a|a\n|a b |\"|(|((|[|[]|<a |</|a.|.a|a::|a/|/a|@a|import |import (|from '|use |-|= |\\\\|*|*a|é";

describe("comes to an end with 256 KiB of", () => {
  test.each(hostile.split("|"))("%j, in every reader", (unit) => {
    const text = unit.repeat(Math.ceil((256 * 1024) / unit.length));
    for (const [, read] of readers) read(text);
  });
});

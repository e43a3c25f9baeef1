import { describe, expect, test } from "bun:test";
import { listImports } from "../../../../src/ingest/git/evidence/imports.ts";
import { findManifest } from "../../../../src/ingest/git/evidence/kinds.ts";
import { findKnownPackage } from "../../../../src/ingest/git/evidence/known-packages.ts";
import type { PackageName } from "../../../../src/ingest/git/evidence/package-names.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";

function names(
  packages: readonly {
    readonly ecosystem: string;
    readonly spellings: readonly string[];
    readonly isForDevelopment?: boolean;
  }[],
) {
  return packages.map(
    ({ ecosystem, spellings, isForDevelopment }) =>
      `${isForDevelopment ? "to develop " : ""}${ecosystem}:${spellings[0]}`,
  );
}

describe("manifests name their packages", () => {
  for (const [path, text, expected] of [
    [
      "package.json",
      '{"dependencies":{"a":"1"},"devDependencies":{"@s/b":"2"}}',
      ["npm:a", "to develop npm:@s/b"],
    ],
    ["web/package.json", "{ broken", []],
    ["package.json", '["no object"]', []],
    [
      "requirements.txt",
      "Django>=4 # web\nfoo_bar[x]==1\n-r other.txt\n# none\n",
      ["pypi:django", "pypi:foo-bar"],
    ],
    ["requirements-dev.txt", "mypy\n", ["to develop pypi:mypy"]],
    [
      "pyproject.toml",
      '[project]\ndependencies=["Flask>2"]\n[tool.poetry.dependencies]\npython="^3"\nnumpy="*"\n[dependency-groups]\nx=["ruff"]',
      ["pypi:flask", "pypi:numpy", "to develop pypi:ruff"],
    ],
    [
      "Cargo.toml",
      '[dependencies]\nserde={version="1"}\n[target.x.dependencies]\nlibc="0"\n[dev-dependencies]\nquickcheck="1"\n',
      ["cargo:serde", "cargo:libc", "to develop cargo:quickcheck"],
    ],
    [
      "go.mod",
      "module x\nrequire (\n\tgithub.com/a/b v1.2.3\n)\nrequire k8s.io/api v0.1.0\n",
      ["go:github.com/a/b", "go:k8s.io/api"],
    ],
    [
      "pom.xml",
      "<dependency><groupId>org.a</groupId>\n<artifactId>b</artifactId></dependency>",
      ["maven:org.a:b"],
    ],
    [
      "pom.xml",
      "<dependency><groupId>org.a</groupId><artifactId>b</artifactId><version>1</version>\n<scope>test</scope></dependency>" +
        "<dependency><groupId>org.c</groupId><artifactId>d</artifactId></dependency>",
      ["to develop maven:org.a:b", "maven:org.c:d"],
    ],
    ["app/build.gradle.kts", 'implementation("org.a:b:1.0")\n', ["maven:org.a:b"]],
    [
      "build.gradle",
      "plugins { id 'org.p' }\n  testImplementation 'org.a:b:1'\n  androidTestImplementation('org.c:d')\n  api 'org.testcontainers:e:1'\n",
      [
        "maven:org.p",
        "to develop maven:org.a:b",
        "to develop maven:org.c:d",
        "maven:org.testcontainers:e",
      ],
    ],
    [
      "gradle/libs.versions.toml",
      '[versions]\na = "1"\n[libraries]\na = { module = "org.a:b", version.ref = "a" }\nc = { group = "org.c", name = "d" }\ne = "org.e:f:1.0"\n',
      ["maven:org.a:b", "maven:org.c:d", "maven:org.e:f"],
    ],
    [
      "go.mod",
      "require (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v1.0.0 // indirect\n)\n",
      ["go:github.com/a/b"],
    ],
    [
      "mix.exs",
      '[{:a, "~> 1"}, {:b, "~> 1", only: [:dev, :test], runtime: false}, {:c, "1", only: :test}, {:d, only: [:prod, :test]}]',
      ["hex:a", "to develop hex:b", "to develop hex:c", "hex:d"],
    ],
    ["Gemfile", "gem 'rails', '~> 7'\n", ["rubygems:rails"]],
    [
      "x.gemspec",
      "  s.add_dependency 'rack'\n  s.add_development_dependency 'rspec'\n",
      ["rubygems:rack", "to develop rubygems:rspec"],
    ],
    [
      "composer.json",
      '{"require":{"a/b":"1"},"require-dev":{"a/c":"1"}}',
      ["composer:a/b", "to develop composer:a/c"],
    ],
    ["src/App.csproj", '<PackageReference Include="Serilog" Version="1" />', ["nuget:Serilog"]],
    ["mix.exs", '  {:phoenix, "~> 1"},', ["hex:phoenix"]],
    [
      "pubspec.yaml",
      "name: x\ndependencies:\n  flutter:\n    sdk: flutter\n  http: ^1\ndev_dependencies:\n  test: any\n",
      ["pub:flutter", "pub:http", "to develop pub:test"],
    ],
    [
      "Package.swift",
      '.package(url: "https://git.example.com/a/b.git", from: "1")',
      ["swift:git.example.com/a/b"],
    ],
    [
      "Dockerfile",
      "FROM --platform=x library/postgres:16 AS db\nFROM db\n",
      ["docker:postgres", "docker:db"],
    ],
    ["compose.yaml", "services:\n  db:\n    image: 'redis:7'\n", ["docker:redis"]],
    [
      "main.tf",
      'provider "aws" {}\nsource = "hashicorp/google"\n',
      ["terraform:aws", "terraform:hashicorp/google"],
    ],
    [".github/workflows/ci.yml", "- uses: actions/checkout@v4\n", ["actions:actions/checkout"]],
    [
      "CMakeLists.txt",
      "find_package(Qt6 REQUIRED COMPONENTS Widgets)\n# find_package(None)\npkg_check_modules(GTK REQUIRED\n gtk+-3.0>=3.10 $(X))\n" +
        "target_link_libraries(app PRIVATE SDL2::SDL2 $(LIBS))\nFetchContent_Declare(\n  googletest\n)",
      ["c:qt6", "c:googletest", "c:required", "c:gtk+-3.0", "c:private", "c:sdl2/sdl2"],
    ],
    [
      "src/meson.build",
      "gtk = dependency('gtk4', version: '>= 4')\nm = cc.find_library('m')\n",
      ["c:gtk4", "c:m"],
    ],
    [
      "configure.ac",
      "PKG_CHECK_MODULES([GTK], [gtk+-3.0 >= 3.10 libcurl])\nAC_CHECK_LIB([ssl], [SSL_new])\nAC_CHECK_HEADERS([mpi.h omp.h])",
      ["c:gtk+-3.0", "c:libcurl", "c:ssl", "c:mpi", "c:omp"],
    ],
    [
      "app.pro",
      "QT += core gui\nPKGCONFIG += libpulse\nLIBS += -lcurl\n",
      ["c:qt", "c:libpulse", "c:curl"],
    ],
    [
      "src/Makefile",
      "CFLAGS += -DSTM32F4 -mcpu=cortex-m4\nLIBS = -lpq `pkg-config --libs sdl2`\ninclude $(TOPDIR)/rules.mk\n",
      ["c:sdl2", "c:pq", "c:stm32f4", "c:cortex-m4", "make:rules.mk"],
    ],
    ["vcpkg.json", '{"dependencies":["boost-asio",{"name":"sdl2"},7]}', ["c:boost-asio", "c:sdl2"]],
    ["vcpkg.json", "[1", []],
    [
      "conanfile.txt",
      "[requires]\nboost/1.83.0\nopencv/[>4]\n[generators]\nCMakeDeps\n",
      ["c:boost", "c:opencv"],
    ],
    ["conanfile.py", "    requires = 'sdl/2.28', \"eigen/3.4\"\n", ["c:sdl", "c:eigen"]],
    [
      "library.properties",
      "name=Example\ndepends=PubSubClient (>=2.8), Adafruit BusIO\n",
      ["arduino:arduino", "arduino:pubsubclient", "arduino:adafruit busio"],
    ],
    [
      "platformio.ini",
      "[env:one]\nplatform = espressif32@6\nframework = arduino, espidf\nlib_deps =\n  knolleary/PubSubClient@^2.8\n  https://example.com/a/lvgl.git\nmonitor_speed = 1\n",
      [
        "arduino:platformio",
        "arduino:espressif32",
        "arduino:arduino",
        "arduino:espidf",
        "arduino:pubsubclient",
        "arduino:lvgl",
      ],
    ],
    [
      "a.opam",
      'depends: [\n  "lwt" {>= "5.0"}\n  "alcotest" {with-test & >= "1"}\n]\nbuild: [["dune" "build"]]\n',
      ["opam:lwt", "to develop opam:alcotest"],
    ],
    [
      "src/dune",
      "(library\n (name a)\n (libraries lwt.unix fmt)\n (preprocess (pps ppx_deriving.show)))",
      ["opam:lwt", "opam:fmt", "opam:ppx_deriving"],
    ],
    ["test/dune", "(test (name a) (libraries alcotest))", ["to develop opam:alcotest"]],
    [
      "dune-project",
      "(lang dune 3.0)\n(package (name a) (depends ocaml (lwt (>= 5.0)) (alcotest :with-test)))",
      ["opam:ocaml", "opam:lwt", "to develop opam:alcotest"],
    ],
    [
      "a.cabal",
      "name: a\nlibrary\n  build-depends:\n      base >=4 && <5\n    , servant-server\n  default-language: Haskell2010\ntest-suite t\n  build-depends: hspec, a\n",
      [
        "hackage:base",
        "hackage:servant-server",
        "to develop hackage:hspec",
        "to develop hackage:a",
      ],
    ],
    [
      "package.yaml",
      "name: a\ndependencies:\n- base >= 4\n- aeson\nlibrary:\n  source-dirs: src\ntests:\n  t:\n    dependencies:\n    - hspec\n",
      ["hackage:base", "hackage:aeson", "to develop hackage:hspec"],
    ],
    [
      "rebar.config",
      '{deps, [{cowboy, {git, "https://example.com/x", {tag, "2"}}}, jsx % json\n]}.\n{profiles, [{test, [{deps, [meck]}]}]}.',
      ["hex:cowboy", "hex:jsx", "to develop hex:meck"],
    ],
    ["a-1.rockspec", 'dependencies = {\n "lua >= 5.1", "lpeg >= 1"\n}\n', ["luarocks:lpeg"]],
    [
      "cpanfile",
      "requires 'Mojolicious', '9';\non 'test' => sub {\n  requires 'Test::Deep';\n};\nrequires 'DBI';\n",
      ["cpan:Mojolicious", "to develop cpan:Test::Deep", "cpan:DBI"],
    ],
    ["Makefile.PL", "PREREQ_PM => { 'DBI' => 1.6, Moo => 0 },\n", ["cpan:DBI", "cpan:Moo"]],
    [
      "dist.ini",
      "version = 1\n[Prereqs]\nMoose = 2\n[Prereqs / TestRequires]\nTest::Deep = 0\n",
      ["cpan:Moose", "to develop cpan:Test::Deep"],
    ],
    [
      "META.json",
      '{"prereqs":{"runtime":{"requires":{"Moo":"1"}},"test":{"requires":{"Test::Deep":"0"}}}}',
      ["cpan:Moo", "to develop cpan:Test::Deep"],
    ],
    [
      "Project.toml",
      '[deps]\nDataFrames = "a"\n[extras]\nTest = "b"\n',
      ["julia:DataFrames", "to develop julia:Test"],
    ],
    ["flake.nix", 'inputs.a.url = "github:NixOS/nixpkgs/nixos-24.05";', ["nix:nixos/nixpkgs"]],
    [
      "Chart.yaml",
      "name: own\ndependencies:\n  - name: postgresql\n    version: 1\n- name: redis\n",
      ["helm:postgresql", "helm:redis"],
    ],
    [
      "requirements.yml",
      "collections:\n  - name: community.docker\n  - ansible.posix\nroles:\n  - src: example.role\n",
      [
        "ansible:ansible",
        "ansible:community.docker",
        "ansible:ansible.posix",
        "ansible:example.role",
      ],
    ],
    [
      "requirements.yaml",
      "dependencies:\n  - name: redis\n    repository: https://example.com\n",
      ["helm:redis"],
    ],
    ["requirements.yml", "just: text\n", []],
    [
      "roles/a/meta/main.yml",
      "dependencies:\n  - role: geerlingguy.docker\n",
      ["ansible:ansible", "ansible:geerlingguy.docker"],
    ],
  ] as const) {
    test(`${path}: ${expected.join(", ") || "nothing"}`, () => {
      expect(names(findManifest(path)?.(text) ?? [])).toEqual([...expected]);
    });
  }

  test("other files are no manifests", () => {
    for (const path of ["src/package.json.ts", "notes.txt", "workflows/ci.yml"]) {
      expect(findManifest(path)).toBeUndefined();
    }
  });

  test("what every object has is the name of no manifest, ending, module or vendor", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"]) {
      expect(findManifest(`src/${name}`)).toBeUndefined();
      expect(listImports(`src/x.${name}`, "import x")).toEqual([]);
      const module = name.toLowerCase().replace(/_+/g, "-");
      expect(names(listImports("x.py", `import ${name}\n`))).toEqual([`pypi:${module}`]);
    }
    expect(names(listImports("x.php", "use Constructor\\Thing;\n"))).toEqual([
      "composer:constructor/thing",
    ]);
  });
});

describe("code names what it imports", () => {
  for (const [path, text, expected] of [
    [
      "a.ts",
      'import x from "react-dom/client";\nimport "./local";\nconst y = require("@s/p/q");\nimport fs from "node:fs";\nimport p from "path";',
      ["npm:react-dom", "npm:@s/p"],
    ],
    [
      "a.py",
      "import os, sklearn.svm\nfrom yaml import load\n  import numpy as np\nfrom . import x\nfrom google.cloud import storage",
      ["pypi:os", "pypi:scikit-learn", "pypi:pyyaml", "pypi:numpy", "pypi:google-cloud"],
    ],
    ["a.go", 'import (\n\t"fmt"\n\tcobra "github.com/a/b/c"\n)', ["go:github.com/a/b/c"]],
    [
      "a.rs",
      "use std::io;\nuse serde_json::Value;\npub use crate::x;\nextern crate libc;",
      ["cargo:serde-json", "cargo:libc"],
    ],
    ["A.java", "import java.util.List;\nimport static org.junit.Assert.*;", ["maven:org.junit"]],
    ["a.kt", "import io.ktor.server\n", ["maven:io.ktor.server"]],
    [
      "a.rb",
      "require 'active_record/base'\nrequire_relative 'x'\n",
      ["rubygems:active_record-base"],
    ],
    ["a.php", "<?php\nuse Illuminate\\Http\\Request;\n", ["composer:laravel/http"]],
    [
      "a.cs",
      "using System.Linq;\nusing Serilog;\nusing var x = 1;",
      ["nuget:System.Linq", "nuget:Serilog"],
    ],
    ["a.ex", "  use Phoenix.Router\n", ["hex:phoenix"]],
    ["a.dart", "import 'package:flutter/material.dart';", ["pub:flutter"]],
    ["a.swift", "@testable import SwiftUI\n", ["swift:SwiftUI"]],
    [
      "a.c",
      '#include <SDL2/SDL_image.h>\n # include "lvgl.h"\n#include "../own.h"\n#pragma omp parallel\n#ifdef STM32F407xx\n#ifndef STM32_H\n',
      ["c:sdl2/sdl_image", "c:lvgl", "c:omp", "c:stm32f407xx"],
    ],
    [
      "a.cpp",
      "#include <QApplication>\n#include <QtCore/QObject>\n#include <vector>",
      ["c:qt", "c:qt", "c:vector"],
    ],
    ["a.ino", "#include <Arduino.h>", ["c:arduino"]],
    [
      "a.m",
      "#import <UIKit/UIKit.h>\n@import CoreData;",
      ["c:uikit/uikit", "swift:UIKit", "swift:CoreData"],
    ],
    [
      "a.F90",
      "  use mpi_f08\n  USE, intrinsic :: iso_c_binding\n  use :: hdf5, only: x\n!$omp parallel\n      include 'mpif.h'\n  useful = 1\n",
      ["c:mpi_f08", "c:iso_c_binding", "c:hdf5", "c:omp", "c:mpif"],
    ],
    [
      "a.hs",
      'import qualified Data.Aeson as A\nimport "text" Data.Text (Text)\nimportant = 1\n',
      ["hackage:Data.Aeson", "hackage:Data.Text"],
    ],
    [
      "a.ml",
      "open Lwt.Syntax\nmodule C = Cmdliner\nlet x = Fmt.pr\n",
      ["opam:lwt", "opam:cmdliner"],
    ],
    ["a.erl", '-include_lib("cowboy/include/x.hrl").\n', ["hex:cowboy"]],
    [
      "a.lua",
      "local x = require 'resty.redis'\nlocal y = require(\"lpeg\")\n",
      ["luarocks:resty.redis", "luarocks:lpeg"],
    ],
    [
      "A.pm",
      "use strict;\nuse Mojo::Base -base;\nuse parent 'DBIx::Class';\nuse base qw(Moose::Object);\n",
      ["cpan:Mojo::Base", "cpan:DBIx::Class", "cpan:Moose::Object"],
    ],
    [
      "a.jl",
      "using DataFrames, CSV\nimport Flux: relu\nusing ..Own\n",
      ["julia:DataFrames", "julia:CSV", "julia:Flux"],
    ],
    ["a.nix", "{ services.postgresql.enable = true; }", ["nix:services.postgresql"]],
  ] as const) {
    test(`${path}: ${expected.join(", ") || "nothing"}`, () => {
      expect(names(listImports(path, text))).toEqual([...expected]);
    });
  }
});

test("a notebook's lines are read although they stand as JSON texts", () => {
  const text =
    '   "source": [\n    "import pandas as pd\\n",\n    "from sklearn.svm import SVC"\n   ]\n';
  expect(names(listImports("study.ipynb", text))).toEqual(["pypi:pandas", "pypi:scikit-learn"]);
});

test("a notebook may be in Julia or R", () => {
  const text = '"source": [\n "using DataFrames\\n",\n "library(ggplot2)\\n"\n]';
  expect(names(listImports("study.ipynb", text))).toEqual(["julia:DataFrames", "cran:ggplot2"]);
});

test("a native library is known by its header and by what build files call it, a utility is not", () => {
  const vocabulary = createVocabulary();
  const known = (packages: readonly PackageName[]) =>
    packages.flatMap((each) => findKnownPackage(each, vocabulary) ?? []);
  expect(known(listImports("a.c", '#include "SDL.h"\n#include <SDL2/SDL_image.h>'))).toEqual([
    "c:sdl",
    "c:sdl2",
  ]);
  expect(known(findManifest("CMakeLists.txt")?.("find_package(SDL2)") ?? [])).toEqual(["c:sdl2"]);
  expect(known(listImports("a.c", "#include <gtk/gtk.h>"))).toEqual(["c:gtk"]);
  expect(known(findManifest("meson.build")?.("dependency('gtk+-3.0')") ?? [])).toEqual(["c:gtk+"]);
  expect(
    known(listImports("a.c", "#include <zlib.h>\n#include <gmp.h>\n#include <expat.h>")),
  ).toEqual([]);
});

test("R's libraries are read from scripts and R Markdown", () => {
  const text = 'library(ggplot2)\n  require("dplyr")\n# nothing\nlibraryish(x)\n';
  expect(names(listImports("study.R", text))).toEqual(["cran:ggplot2", "cran:dplyr"]);
  expect(names(listImports("report.Rmd", text))).toEqual(["cran:ggplot2", "cran:dplyr"]);
});

import { describe, expect, test } from "bun:test";
import { listImports } from "../../../../src/ingest/git/evidence/imports.ts";
import { findManifest } from "../../../../src/ingest/git/evidence/kinds.ts";
import { collectOwnFiles } from "../../../../src/ingest/git/evidence/own-files.ts";
import {
  findKnownPackage,
  type PackageName,
} from "../../../../src/ingest/git/evidence/package-names.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";

type Named = Pick<PackageName, "ecosystem" | "spellings"> & { readonly isForDevelopment?: boolean };

/** In one text; `dev` stands before what is needed to develop only. */
const names = (packages: readonly Named[]) =>
  packages
    .map(
      ({ ecosystem, spellings, isForDevelopment }) =>
        `${isForDevelopment ? "dev " : ""}${ecosystem}:${spellings[0]}`,
    )
    .join(", ");

/** What the text of a file names. */
const manifests: Record<string, string> = {
  "package.json: npm:a, dev npm:@s/b": '{"dependencies":{"a":"1"},"devDependencies":{"@s/b":"2"}}',
  "web/package.json: nothing": "{ broken",
  "package.json: nothing": '["no object"]',
  "requirements.txt: pypi:django, pypi:foo-bar":
    "Django>=4 # web\nfoo_bar[x]==1\n-r other.txt\n# none\n",
  "requirements-dev.txt: dev pypi:mypy": "mypy\n",
  "pyproject.toml: pypi:flask, pypi:numpy, dev pypi:ruff":
    '[project]\ndependencies=["Flask>2"]\n[tool.poetry.dependencies]\npython="^3"\nnumpy="*"\n[dependency-groups]\nx=["ruff"]',
  // A locked list also has what other packages need.
  "requirements.txt: pypi:black, pypi:tox":
    "babel==2 \\\n    --hash=x\n    # via sphinx\nblack==1\n    # via -r dev.in\nclick==8\n    # via\n    #   black\ntox==4\n",
  "Cargo.toml: cargo:serde, cargo:libc, dev cargo:quickcheck":
    '[dependencies]\nserde={version="1"}\n[target.x.dependencies]\nlibc="0"\n[dev-dependencies]\nquickcheck="1"\n',
  "go.mod: go:github.com/a/b, go:k8s.io/api":
    "module x\nrequire (\n\tgithub.com/a/b v1.2.3\n)\nrequire k8s.io/api v0.1.0\n",
  "pom.xml: maven:org.a:b":
    "<dependency><groupId>org.a</groupId>\n<artifactId>b</artifactId></dependency>",
  "pom.xml: dev maven:org.a:b, maven:org.c:d":
    "<dependency><groupId>org.a</groupId><artifactId>b</artifactId><version>1</version>\n<scope>test</scope></dependency><dependency><groupId>org.c</groupId><artifactId>d</artifactId></dependency>",
  "app/build.gradle.kts: maven:org.a:b": 'implementation("org.a:b:1.0")\n',
  "build.gradle: maven:org.p, dev maven:org.a:b, dev maven:org.c:d, maven:org.testcontainers:e":
    "plugins { id 'org.p' }\n  testImplementation 'org.a:b:1'\n  androidTestImplementation('org.c:d')\n  api 'org.testcontainers:e:1'\n",
  "gradle/libs.versions.toml: maven:org.a:b, maven:org.c:d, maven:org.e:f":
    '[versions]\na = "1"\n[libraries]\na = { module = "org.a:b", version.ref = "a" }\nc = { group = "org.c", name = "d" }\ne = "org.e:f:1.0"\n',
  "go.mod: go:github.com/a/b":
    "require (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v1.0.0 // indirect\n)\n",
  "mix.exs: hex:a, dev hex:b, dev hex:c, hex:d":
    '[{:a, "~> 1"}, {:b, "~> 1", only: [:dev, :test], runtime: false}, {:c, "1", only: :test}, {:d, only: [:prod, :test]}]',
  "Gemfile: rubygems:rails": "gem 'rails', '~> 7'\n",
  "x.gemspec: rubygems:rack, dev rubygems:rspec":
    "  s.add_dependency 'rack'\n  s.add_development_dependency 'rspec'\n",
  "composer.json: composer:a/b, dev composer:a/c":
    '{"require":{"a/b":"1"},"require-dev":{"a/c":"1"}}',
  "src/App.csproj: nuget:Serilog": '<PackageReference Include="Serilog" Version="1" />',
  "mix.exs: hex:phoenix": '  {:phoenix, "~> 1"},',
  "pubspec.yaml: pub:flutter, pub:http, dev pub:test":
    "name: x\ndependencies:\n  flutter:\n    sdk: flutter\n  http: ^1\ndev_dependencies:\n  test: any\n",
  "Package.swift: swift:git.example.com/a/b":
    '.package(url: "https://git.example.com/a/b.git", from: "1")',
  "Dockerfile: docker:postgres, docker:db":
    "FROM --platform=x library/postgres:16 AS db\nFROM db\n",
  "compose.yaml: docker:redis": "services:\n  db:\n    image: 'redis:7'\n",
  "main.tf: terraform:aws, terraform:hashicorp/google":
    'provider "aws" {}\nsource = "hashicorp/google"\n',
  ".github/workflows/ci.yml: actions:actions/checkout": "- uses: actions/checkout@v4\n",
  "CMakeLists.txt: c:qt6, c:googletest, c:required, c:gtk+-3.0, c:private, c:sdl2/sdl2":
    "find_package(Qt6 REQUIRED COMPONENTS Widgets)\n# find_package(None)\npkg_check_modules(GTK REQUIRED\n gtk+-3.0>=3.10 $(X))\ntarget_link_libraries(app PRIVATE SDL2::SDL2 $(LIBS))\nFetchContent_Declare(\n  googletest\n)",
  "src/meson.build: c:gtk4, c:m":
    "gtk = dependency('gtk4', version: '>= 4')\nm = cc.find_library('m')\n",
  "configure.ac: c:gtk+-3.0, c:libcurl, c:ssl, c:mpi, c:omp":
    "PKG_CHECK_MODULES([GTK], [gtk+-3.0 >= 3.10 libcurl])\nAC_CHECK_LIB([ssl], [SSL_new])\nAC_CHECK_HEADERS([mpi.h omp.h])",
  "app.pro: c:qt, c:libpulse, c:curl": "QT += core gui\nPKGCONFIG += libpulse\nLIBS += -lcurl\n",
  "src/Makefile: c:sdl2, c:pq, c:stm32f4, c:cortex-m4, make:rules.mk":
    "CFLAGS += -DSTM32F4 -mcpu=cortex-m4\nLIBS = -lpq `pkg-config --libs sdl2`\ninclude $(TOPDIR)/rules.mk\n",
  "vcpkg.json: c:boost-asio, c:sdl2": '{"dependencies":["boost-asio",{"name":"sdl2"},7]}',
  "vcpkg.json: nothing": "[1",
  "conanfile.txt: c:boost, c:opencv":
    "[requires]\nboost/1.83.0\nopencv/[>4]\n[generators]\nCMakeDeps\n",
  "conanfile.py: c:sdl, c:eigen": "    requires = 'sdl/2.28', \"eigen/3.4\"\n",
  "library.properties: arduino:arduino, arduino:pubsubclient, arduino:adafruit busio":
    "name=Example\ndepends=PubSubClient (>=2.8), Adafruit BusIO\n",
  "platformio.ini: arduino:platformio, arduino:espressif32, arduino:arduino, arduino:espidf, arduino:pubsubclient, arduino:lvgl":
    "[env:one]\nplatform = espressif32@6\nframework = arduino, espidf\nlib_deps =\n  knolleary/PubSubClient@^2.8\n  https://example.com/a/lvgl.git\nmonitor_speed = 1\n",
  "a.opam: opam:lwt, dev opam:alcotest":
    'depends: [\n  "lwt" {>= "5.0"}\n  "alcotest" {with-test & >= "1"}\n]\nbuild: [["dune" "build"]]\n',
  "src/dune: opam:lwt, opam:fmt, opam:ppx_deriving":
    "(library\n (name a)\n (libraries lwt.unix fmt)\n (preprocess (pps ppx_deriving.show)))",
  "test/dune: dev opam:alcotest": "(test (name a) (libraries alcotest))",
  "dune-project: opam:ocaml, opam:lwt, dev opam:alcotest":
    "(lang dune 3.0)\n(package (name a) (depends ocaml (lwt (>= 5.0)) (alcotest :with-test)))",
  "a.cabal: hackage:base, hackage:servant-server, dev hackage:hspec, dev hackage:a":
    "name: a\nlibrary\n  build-depends:\n      base >=4 && <5\n    , servant-server\n  default-language: Haskell2010\ntest-suite t\n  build-depends: hspec, a\n",
  "package.yaml: hackage:base, hackage:aeson, dev hackage:hspec":
    "name: a\ndependencies:\n- base >= 4\n- aeson\nlibrary:\n  source-dirs: src\ntests:\n  t:\n    dependencies:\n    - hspec\n",
  "rebar.config: hex:cowboy, hex:jsx, dev hex:meck":
    '{deps, [{cowboy, {git, "https://example.com/x", {tag, "2"}}}, jsx % json\n]}.\n{profiles, [{test, [{deps, [meck]}]}]}.',
  "a-1.rockspec: luarocks:lpeg": 'dependencies = {\n "lua >= 5.1", "lpeg >= 1"\n}\n',
  "cpanfile: cpan:Mojolicious, dev cpan:Test::Deep, cpan:DBI":
    "requires 'Mojolicious', '9';\non 'test' => sub {\n  requires 'Test::Deep';\n};\nrequires 'DBI';\n",
  "Makefile.PL: cpan:DBI, cpan:Moo": "PREREQ_PM => { 'DBI' => 1.6, Moo => 0 },\n",
  "dist.ini: cpan:Moose, dev cpan:Test::Deep":
    "version = 1\n[Prereqs]\nMoose = 2\n[Prereqs / TestRequires]\nTest::Deep = 0\n",
  "META.json: cpan:Moo, dev cpan:Test::Deep":
    '{"prereqs":{"runtime":{"requires":{"Moo":"1"}},"test":{"requires":{"Test::Deep":"0"}}}}',
  "Project.toml: julia:DataFrames, dev julia:Test":
    '[deps]\nDataFrames = "a"\n[extras]\nTest = "b"\n',
  "flake.nix: nix:nixos/nixpkgs": 'inputs.a.url = "github:NixOS/nixpkgs/nixos-24.05";',
  "Chart.yaml: helm:postgresql, helm:redis":
    "name: own\ndependencies:\n  - name: postgresql\n    version: 1\n- name: redis\n",
  "requirements.yml: ansible:ansible, ansible:community.docker, ansible:ansible.posix, ansible:example.role":
    "collections:\n  - name: community.docker\n  - ansible.posix\nroles:\n  - src: example.role\n",
  "requirements.yaml: helm:redis":
    "dependencies:\n  - name: redis\n    repository: https://example.com\n",
  "requirements.yml: nothing": "just: text\n",
  "roles/a/meta/main.yml: ansible:ansible, ansible:geerlingguy.docker":
    "dependencies:\n  - role: geerlingguy.docker\n",
};

describe("manifests name their packages", () => {
  test.each(Object.entries(manifests))("%s", (title, text) => {
    const [path = ""] = title.split(": ");
    expect(`${path}: ${names(findManifest(path)?.(text) ?? []) || "nothing"}`).toBe(title);
  });

  test("other files are no manifests", () => {
    const data = ["test/form/samples/a/package.json", "x/a_SUITE_data/rebar.config"];
    for (const path of ["src/package.json.ts", "notes.txt", "workflows/ci.yml", ...data]) {
      expect(findManifest(path)).toBeUndefined();
    }
  });

  test("what every object has is the name of no manifest, ending, module or vendor", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"]) {
      expect(findManifest(`src/${name}`)).toBeUndefined();
      expect(listImports(`src/x.${name}`, "import x")).toEqual([]);
      const module = name.toLowerCase().replace(/_+/g, "-");
      expect(names(listImports("x.py", `import ${name}\n`))).toBe(`pypi:${module}`);
    }
    expect(names(listImports("x.php", "use Constructor\\Thing;\n"))).toBe(
      "composer:constructor/thing",
    );
  });
});

/** What the text of a file names. */
const sources: Record<string, string> = {
  "a.ts: npm:react-dom, npm:@s/p, npm:ws":
    'import x from "react-dom/client";\nimport "./local";\nconst y = require("@s/p/q");\nimport fs from "node:fs";\nimport p from "ws";',
  "a.py: pypi:os, pypi:scikit-learn, pypi:pyyaml, pypi:numpy, pypi:google-cloud":
    "import os, sklearn.svm\nfrom yaml import load\n  import numpy as np\nfrom . import x\nfrom google.cloud import storage",
  "a.go: go:github.com/a/b/c": 'import (\n\t"fmt"\n\tcobra "github.com/a/b/c"\n)',
  "a.rs: cargo:std, cargo:serde-json, cargo:crate, cargo:libc":
    "use std::io;\nuse serde_json::Value;\npub use crate::x;\nextern crate libc;",
  "A.java: maven:java.util, maven:org.junit":
    "import java.util.List;\nimport static org.junit.Assert.*;",
  "a.kt: maven:io.ktor.server": "import io.ktor.server\n",
  "a.rb: rubygems:active_record-base": "require 'active_record/base'\nrequire_relative 'x'\n",
  "a.php: composer:laravel/http": "<?php\nuse Illuminate\\Http\\Request;\n",
  "a.cs: nuget:System.Linq, nuget:Serilog": "using System.Linq;\nusing Serilog;\nusing var x = 1;",
  "a.ex: hex:phoenix": "  use Phoenix.Router\n",
  "a.dart: pub:flutter": "import 'package:flutter/material.dart';",
  "a.swift: swift:SwiftUI": "@testable import SwiftUI\n",
  "a.c: c:sdl2/sdl_image, c:lvgl, c:omp, c:stm32f407xx":
    '#include <SDL2/SDL_image.h>\n # include "lvgl.h"\n#include "../own.h"\n#pragma omp parallel\n#ifdef STM32F407xx\n#ifndef STM32_H\n',
  "a.cpp: c:qt, c:qt, c:vector":
    "#include <QApplication>\n#include <QtCore/QObject>\n#include <vector>",
  "a.ino: c:arduino": "#include <Arduino.h>",
  "a.m: c:uikit/uikit, swift:UIKit, swift:CoreData": "#import <UIKit/UIKit.h>\n@import CoreData;",
  "a.F90: c:mpi_f08, c:iso_c_binding, c:hdf5, c:omp, c:mpif":
    "  use mpi_f08\n  USE, intrinsic :: iso_c_binding\n  use :: hdf5, only: x\n!$omp parallel\n      include 'mpif.h'\n  useful = 1\n",
  "a.hs: hackage:Data.Aeson, hackage:Data.Text":
    'import qualified Data.Aeson as A\nimport "text" Data.Text (Text)\nimportant = 1\n',
  "a.ml: opam:lwt, opam:cmdliner": "open Lwt.Syntax\nmodule C = Cmdliner\nlet x = Fmt.pr\n",
  "a.erl: hex:cowboy": '-include_lib("cowboy/include/x.hrl").\n',
  "a.lua: luarocks:resty.redis, luarocks:lpeg":
    "local x = require 'resty.redis'\nlocal y = require(\"lpeg\")\n",
  "A.pm: cpan:Mojo::Base, cpan:DBIx::Class, cpan:Moose::Object":
    "use strict;\nuse Mojo::Base -base;\nuse parent 'DBIx::Class';\nuse base qw(Moose::Object);\n",
  "a.vala: c:gtk, c:soup": "using Gtk;\nvar a = new Soup.Session ();\nthis.a.Call ();\n",
  "a.jl: julia:DataFrames, julia:CSV, julia:Flux":
    "using DataFrames, CSV\nimport Flux: relu\nusing ..Own\n",
  "a.nix: nix:services.postgresql": "{ services.postgresql.enable = true; }",
  "src/own.c: c:lib/other, c:own/lib":
    '#include "own/Lib.h"\n#include "lib.h"\n#include "lib/other.h"\n#include <own/lib.h>\n',
  "tools/own.py: pypi:numpy, pypi:tornado": "import control.lines, schedule, numpy, tornado",
  "tools/pkg/own.py: pypi:clip": "import clip, control",
  "pkg/testdata/a.go: nothing": 'import "github.com/a/b/c"',
  "tests/cpp/data/a.c: c:gtest/gtest": "#include <gtest/gtest.h>",
  "own.rs: cargo:serde": "mod config;\npub use config::Config;\nuse serde::Value;\n",
};

const own = ["include/own/lib.h", "control/__init__.py", "src/schedule.py", "tools/numpy/x.py"];
const others = ["tools/pkg/__init__.py", "tools/pkg/clip.py", "tornado.py"];
const files = [...own, ...others].map((path) => ({ path }));
const ownFiles = collectOwnFiles(files, "Tornado");

describe("code names what it imports", () => {
  test.each(Object.entries(sources))("%s", (title, text) => {
    const [path = ""] = title.split(": ");
    expect(`${path}: ${names(listImports(path, text, ownFiles)) || "nothing"}`).toBe(title);
  });
});

test("a notebook's lines are read although they stand as JSON texts", () => {
  const text =
    '   "source": [\n    "import pandas as pd\\n",\n    "from sklearn.svm import SVC"\n   ]\n';
  expect(names(listImports("study.ipynb", text))).toBe("pypi:pandas, pypi:scikit-learn");
});

test("a notebook may be in Julia or R", () => {
  const text = '"source": [\n "using DataFrames\\n",\n "library(ggplot2)\\n"\n]';
  expect(names(listImports("study.ipynb", text))).toBe("julia:DataFrames, cran:ggplot2");
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
  expect(names(listImports("study.R", text))).toBe("cran:ggplot2, cran:dplyr");
  expect(names(listImports("report.Rmd", text))).toBe("cran:ggplot2, cran:dplyr");
});

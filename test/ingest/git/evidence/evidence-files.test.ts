import { describe, expect, test } from "bun:test";
import { listImports } from "../../../../src/ingest/git/evidence/imports.ts";
import { findManifest } from "../../../../src/ingest/git/evidence/manifests.ts";

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
    ["a.c", "#include <stdio.h>", []],
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

test("R's libraries are read from scripts and R Markdown", () => {
  const text = 'library(ggplot2)\n  require("dplyr")\n# nothing\nlibraryish(x)\n';
  expect(names(listImports("study.R", text))).toEqual(["cran:ggplot2", "cran:dplyr"]);
  expect(names(listImports("report.Rmd", text))).toEqual(["cran:ggplot2", "cran:dplyr"]);
});

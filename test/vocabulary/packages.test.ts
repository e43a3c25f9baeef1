/** Packages, as manifests and imports name them, and the skills they stand for. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();

describe("packageSkill", () => {
  test.each([
    ["npm", "react-dom", "react"],
    ["npm", "react-dom/client", "react"],
    ["npm", "@angular/core", "angular"],
    ["npm", "@angular/common/http", "angular"],
    ["npm", "@aws-sdk/client-s3", "s3"],
    ["npm", "@aws-sdk/client-polly", "aws"],
    ["npm", "@types/react", "react"],
    ["npm", "@types/lodash", "lodash"],
    ["npm", "@types/babel__core", "babel"],
    ["pypi", "Django", "django"],
    ["pypi", "django.db.models", "django"],
    ["pypi", "opencv_python", "opencv"],
    ["pypi", "cv2", "opencv"],
    ["pypi", "sklearn.linear_model", "scikit-learn"],
    ["pypi", "google-cloud-storage", "gcp"],
    ["cargo", "serde_json", "serde"],
    ["cargo", "tokio::sync", "tokio"],
    ["go", "github.com/aws/aws-sdk-go-v2/service/s3", "s3"],
    ["go", "github.com/aws/aws-sdk-go/aws/session", "aws"],
    ["go", "k8s.io/client-go/kubernetes", "kubernetes"],
    ["go", "github.com/gofiber/fiber/v2", "go-fiber"],
    ["go", "gopkg.in/yaml.v3", "go"],
    ["maven", "org.springframework.boot:spring-boot-starter-web", "spring-boot"],
    ["maven", "org.springframework.boot.SpringApplication", "spring-boot"],
    ["maven", "org.springframework:spring-core", "spring"],
    ["gradle", "org.springframework.boot:spring-boot-starter", "spring-boot"],
    ["gradle", "com.android.application", "android"],
    ["gradle", "androidx.compose.ui:ui", "jetpack-compose"],
    ["rubygems", "rspec-core", "rspec"],
    ["rubygems", "rails", "rails"],
    ["composer", "laravel/framework", "laravel"],
    ["composer", "symfony/http-kernel", "symfony"],
    ["nuget", "Microsoft.EntityFrameworkCore.Design", "entity-framework"],
    ["nuget", "Microsoft.EntityFrameworkCore.SqlServer", "entity-framework"],
    ["nuget", "microsoft.aspnetcore.mvc", "asp.net"],
    ["hex", "phoenix_live_view", "phoenix-liveview"],
    ["pub", "flutter_bloc", "bloc"],
    ["swift", "https://github.com/Alamofire/Alamofire.git", "alamofire"],
    ["swift", "SwiftUI", "swiftui"],
    ["docker", "postgres:16-alpine", "postgresql"],
    ["docker", "docker.io/library/redis:7@sha256:0123", "redis"],
    ["docker", "localhost:5000/nginx", "nginx"],
    ["docker", "mcr.microsoft.com/dotnet/sdk:8.0", "dotnet"],
    ["terraform", "hashicorp/aws", "aws"],
    ["terraform", "aws_s3_bucket", "aws"],
    ["actions", "docker/build-push-action@v5", "docker"],
    ["c", "qt6/widgets", "qt"],
    ["c", "boost", "boost"],
    ["c", "openssl", "openssl"],
    ["c", "gtk+-3.0", "gtk"],
    ["c", "stm32f407xx", "stm32"],
    ["c", "mpi_f08", "mpi"],
    ["c", "libavcodec", "ffmpeg"],
    ["c", "git2", "libgit2"],
    ["make", "package.mk", "openwrt"],
    ["arduino", "espressif32", "esp32"],
    ["opam", "lwt", "lwt"],
    ["hackage", "Data.Aeson", "haskell"],
    ["hackage", "servant-server", "servant"],
    ["cpan", "DBD::Pg", "postgresql"],
    ["cran", "Rcpp", "rcpp"],
    ["julia", "DataFrames", "dataframes-jl"],
    ["luarocks", "busted", "testing"],
    ["nix", "services.bitcoind", "bitcoin"],
    ["helm", "postgresql", "postgresql"],
    ["ansible", "community.docker", "docker"],
    ["ansible", "community.general", "ansible"],
    ["actions", "aws-actions/configure-aws-credentials@v4", "aws"],
  ])("%s:%s is %s", (ecosystem, name, id) => {
    expect(vocabulary.packageSkill(ecosystem, name)?.id).toBe(id);
  });

  test.each([
    ["npm", "left-pad"],
    ["npm", "reactor"],
    ["npm", "my-react"],
    ["pypi", "flaskify"],
    ["go", "github.com/someone/something"],
    ["maven", "org.springframeworks:core"],
    ["nuget", "Microsoft.AspNetCoreX"],
    ["docker", "my-postgres"],
    ["terraform", "awsome_thing"],
    ["cobol", "react"],
    // A utility is no skill.
    ["c", "zlib"],
    ["c", "libxml2"],
    ["c", "gmp"],
    ["c", "glib-2.0"],
    ["c", "spdlog"],
    ["c", "string"],
    ["c", "event"],
    ["c", "windows"],
    ["constructor", "toString"],
    ["npm", ""],
    ["", ""],
  ])("%s:%s stands for none", (ecosystem, name) => {
    expect(vocabulary.packageSkill(ecosystem, name)).toBeUndefined();
  });

  test("a name of nobody's scope stands for none, in any ecosystem", () => {
    const ecosystem = fc.constantFrom(
      "npm",
      "pypi",
      "cargo",
      "go",
      "maven",
      "nuget",
      "docker",
      "__proto__",
    );
    fc.assert(
      fc.property(
        ecosystem,
        fc.stringMatching(/^[a-z]{1,12}$/),
        (of, name) => vocabulary.packageSkill(of, `@zzqqx/${name}`) === undefined,
      ),
    );
  });
});

test("no library of native code alone makes a field of science or of security", () => {
  const fields =
    "mathematics nlp cryptography compilers web-scraping data-analysis statistics machine-learning".split(
      " ",
    );
  const native = readFileSync(join(import.meta.dir, "../../seed/vocabulary/packages.txt"), "utf8")
    .split("\n")
    .filter((line) => /[| ](c|opam|hackage|luarocks|cpan|julia):/.test(line));
  expect(native.length).toBeGreaterThan(100);
  expect(native.filter((line) => fields.includes(line.split(" | ")[0] ?? ""))).toEqual([]);
});

describe("broader", () => {
  test("what contains a skill, and what contains that", () => {
    const ids = (id: string) => vocabulary.broader(id).map((skill) => skill.id);
    expect(ids("s3")).toEqual(["aws"]);
    expect(ids("expo")).toEqual(["react-native", "react"]);
    expect(ids("react")).toEqual([]);
    expect(ids("no-such-skill")).toEqual([]);
  });

  test("no skill contains itself", () => {
    for (const { id } of vocabulary.skills) {
      expect([id, vocabulary.broader(id).some((skill) => skill.id === id)]).toEqual([id, false]);
    }
  });
});

test("topics resolve as names do, and by what stands before their purpose", () => {
  const topics = {
    k8s: "kubernetes",
    "react-components": "react",
    "vim-plugin": "vim",
    go: "go",
    "machine-learning": "machine-learning",
  };
  for (const [topic, id] of Object.entries(topics)) {
    expect([topic, vocabulary.topicSkill(topic)?.id]).toEqual([topic, id]);
  }
  expect(vocabulary.topicSkill("-plugin")).toBeUndefined();
  expect(vocabulary.topicSkill("hacktoberfest")).toBeUndefined();
});

test("tools of different ecosystems are different skills, whatever they are called", () => {
  const skillOf = (ecosystem: string, name: string) =>
    createVocabulary().packageSkill(ecosystem, name)?.name;
  expect(skillOf("npm", "ajv")).toBe("Ajv");
  expect(skillOf("pypi", "jsonschema")).toBe("JSON Schema");
  expect(skillOf("npm", "nyc")).toBe("Istanbul");
  expect(skillOf("pypi", "coverage")).toBe("Coverage.py");
  expect(skillOf("composer", "react/promise")).toBe("ReactPHP");
  expect(skillOf("cargo", "sqlx")).not.toBe(skillOf("go", "github.com/jmoiron/sqlx"));
  expect(skillOf("npm", "discord.js")).not.toBe(skillOf("pypi", "discord.py"));
  expect(skillOf("pypi", "torch")).not.toBe(skillOf("cargo", "candle-core"));
});

describe("the skill of a product", () => {
  const { productSkill } = createVocabulary();
  test.each([
    ["repository:symfony/symfony", "symfony"],
    ["pypi:pandas", "pandas"],
    ["go:github.com/spf13/cobra", "cobra"],
    // A name that is also a word means the known product only where a package says so.
    ["repository:backbone", "product:backbone"],
    ["npm:backbone", "backbone"],
    ["repository:docker/compose", "docker-compose"],
    ["repository:pytorch/ignite", "product:pytorchignite"],
    ["repository:rust-lang/book", "product:rustlangbook"],
    ["repository:billing_api", "product:billingapi"],
    ["npm:@acme/billing", "product:acmebilling"],
    ["maven:org.acme:billing", "product:billing"],
    ["go:example.org/acme/billing/v2", "product:billing"],
    // Kinds of software, and other ecosystems' names.
    ["repository:acme/cli", "product:acmecli"],
    ["repository:acme/frontend", "product:acmefrontend"],
    ["pypi:react", undefined],
    ["repository:acme/---", undefined],
    ["nothing", undefined],
  ])("%s is %s", (product, id) => expect(productSkill(product)?.id).toBe(id));
});

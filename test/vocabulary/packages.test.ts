/** Packages, as manifests and imports name them, and the skills they stand for. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const vocabulary = createVocabulary();

/** By ecosystem: a package's name and its skill. */
const packages = {
  npm: `
    react-dom react, react-dom/client react, @angular/core angular, @angular/common/http angular,
    @aws-sdk/client-s3 s3, @aws-sdk/client-polly aws, @types/react react, @types/lodash lodash,
    @types/babel__core babel`,
  pypi: `
    Django django, django.db.models django, opencv_python opencv, cv2 opencv,
    sklearn.linear_model scikit-learn, google-cloud-storage gcp`,
  cargo: "serde_json serde, tokio::sync tokio",
  go: `
    github.com/aws/aws-sdk-go-v2/service/s3 s3, github.com/aws/aws-sdk-go/aws/session aws,
    k8s.io/client-go/kubernetes kubernetes, github.com/gofiber/fiber/v2 go-fiber`,
  maven: `
    org.springframework.boot:spring-boot-starter-web spring-boot,
    org.springframework.boot.SpringApplication spring-boot, org.springframework:spring-core spring`,
  gradle: `
    org.springframework.boot:spring-boot-starter spring-boot, com.android.application android,
    androidx.compose.ui:ui jetpack-compose`,
  rubygems: "rspec-core rspec, rails rails",
  composer: "laravel/framework laravel, symfony/http-kernel symfony",
  nuget: `
    Microsoft.EntityFrameworkCore.Design entity-framework,
    Microsoft.EntityFrameworkCore.SqlServer entity-framework, microsoft.aspnetcore.mvc asp.net`,
  hex: "phoenix_live_view phoenix-liveview",
  pub: "flutter_bloc bloc",
  swift: "https://github.com/Alamofire/Alamofire.git alamofire, SwiftUI swiftui",
  docker: `
    postgres:16-alpine postgresql, docker.io/library/redis:7@sha256:0123 redis,
    localhost:5000/nginx nginx, mcr.microsoft.com/dotnet/sdk:8.0 dotnet`,
  terraform: "hashicorp/aws aws, aws_s3_bucket aws",
  actions: "docker/build-push-action@v5 docker, aws-actions/configure-aws-credentials@v4 aws",
  c: `
    qt6/widgets qt, boost boost, openssl openssl, gtk+-3.0 gtk, stm32f407xx stm32, mpi_f08 mpi,
    libavcodec ffmpeg, git2 libgit2, dbus-1 dbus, qt5core qt, gdal_priv gdal`,
  make: "package.mk openwrt",
  arduino: "espressif32 esp32",
  opam: "lwt lwt",
  hackage: "servant-server servant",
  cpan: "DBD::Pg postgresql",
  cran: "Rcpp rcpp",
  julia: "DataFrames dataframes-jl",
  luarocks: "busted testing",
  nix: "services.bitcoind bitcoin",
  helm: "postgresql postgresql",
  ansible: "geerlingguy.docker docker, community.general ansible",
};

/** By ecosystem: names that stand for no skill. A utility is none, and its language is shown by files alone. */
const others = {
  npm: "left-pad, reactor, my-react",
  pypi: "flaskify",
  go: "github.com/someone/something, gopkg.in/yaml.v3",
  maven: "org.springframeworks:core, scala.concurrent, org.jetbrains.kotlin, org.clojure:clojure",
  hackage: "Data.Aeson",
  cargo: "anyhow, iced-x86",
  nuget: "Microsoft.AspNetCoreX",
  docker: "my-postgres, python",
  terraform: "awsome_thing",
  cobol: "react",
  c: "zlib, libxml2, gmp, glib-2.0, spdlog, string, event, windows, dbusclient, ogre",
  constructor: "toString",
};

const split = (text: string) => text.trim().split(/,\s+/);

describe("packageSkill", () => {
  test.each(Object.entries(packages))("of %s", (ecosystem, pairs) => {
    for (const pair of split(pairs)) {
      const [name = "", id = ""] = pair.split(" ");
      expect([name, vocabulary.packageSkill(ecosystem, name)?.id]).toEqual([name, id]);
    }
  });

  test("is none of other names", () => {
    for (const [ecosystem, names] of Object.entries({ ...others, "": "" })) {
      for (const name of [...split(names), ""]) {
        expect([name, vocabulary.packageSkill(ecosystem, name)]).toEqual([name, undefined]);
      }
    }
  });

  test("a name of nobody's scope stands for none, in any ecosystem", () => {
    const ecosystem = fc.constantFrom(...Object.keys(packages), "__proto__");
    fc.assert(
      fc.property(
        ecosystem,
        fc.stringMatching(/^[a-z]{1,12}$/),
        (of, name) => vocabulary.packageSkill(of, `@zzqqx/${name}`) === undefined,
      ),
    );
  });
});

const lists = ["applications", "backend", "data", "libraries", "operations", "packages", "web"];
const listed = lists.flatMap((list) =>
  readFileSync(join(import.meta.dir, `../../seed/vocabulary/${list}.txt`), "utf8").split("\n"),
);

test("a prefix covers no name in which its last word goes on", () => {
  const wildcards = listed.flatMap((line) =>
    [...line.matchAll(/(\w+):(\S+)/g)].flatMap(([, ecosystem = "", names = ""]) =>
      names.split(",").flatMap((name) => (name.endsWith("*") ? [[ecosystem, name] as const] : [])),
    ),
  );
  expect(wildcards.length).toBeGreaterThan(300);
  for (const [ecosystem, name] of wildcards) {
    const prefix = name.slice(0, -1);
    const [ofPrefix, ofLonger] = [prefix, `${prefix}zzqqx`].map(
      (each) => vocabulary.packageSkill(ecosystem, each)?.id,
    );
    if (/[a-z]$/i.test(prefix))
      expect([ecosystem, name, ofLonger]).not.toEqual([ecosystem, name, ofPrefix]);
    else expect([ecosystem, name, ofLonger]).not.toEqual([ecosystem, name, undefined]);
  }
});

test("no library of native code alone makes a field of science or of security", () => {
  const fields = "mathematics nlp cryptography compilers web-scraping data-analysis statistics";
  const isField = (id: string) => [...fields.split(" "), "machine-learning"].includes(id);
  const native = listed.filter((line) => /[| ](c|opam|hackage|luarocks|cpan|julia):/.test(line));
  expect(native.length).toBeGreaterThan(100);
  expect(native.filter((line) => isField(line.split(" | ")[0] ?? ""))).toEqual([]);
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
  const topics = "k8s react-components vim-plugin go machine-learning".split(" ");
  expect(topics.map((topic) => vocabulary.topicSkill(topic)?.id).join(" ")).toBe(
    "kubernetes react vim go machine-learning",
  );
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
    ["repository:postgres", "postgresql"],
    ["repository:erl", "product:erl"],
    // A name that is also a word means the known product only where a package says so.
    ["repository:backbone", "product:backbone"],
    ["repository:bat", "product:bat"],
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

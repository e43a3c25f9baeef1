import { describe, expect, test } from "bun:test";
import { formatCommand } from "../../../../src/interfaces/web/search/people-downloads.tsx";
import {
  formatQuery,
  hasQuery,
  listFilters,
  readFilters,
  toSearchRequest,
} from "../../../../src/interfaces/web/search/search-query.ts";
import { formatCall } from "../../../../src/operations/example-call.ts";

const read = (query: string) => readFilters(new URLSearchParams(query));
const whole =
  "location=Berlin&role=backend&skills=Go%2C+Kubernetes&languages=Rust&repositories=acme%2Fpayments%2C+ledger&company=%40acme&years=2.5&upto=20&since=2026-10-01&hireable=yes&strict=yes&sort=followers&page=3";

describe("a search in the address bar", () => {
  test("comes back from it as it went in", () => {
    expect(formatQuery(read(whole))).toBe(whole);
    expect(read("skills=Go&skills=Go,+Rust+,&unknown=1").skills).toEqual(["Go", "Rust"]);
  });

  test("is what the operation takes; without a place it is about everybody", () => {
    expect(toSearchRequest(read(whole))).toEqual({
      ...{ location: "Berlin", role: "backend", skills: ["Go", "Kubernetes"] },
      ...{ languages: ["Rust"], repositories: ["acme/payments", "ledger"] },
      ...{
        company: "@acme",
        minExperienceYears: 2.5,
        maxExperienceYears: 20,
        activeSince: "2026-10-01",
        isHireable: true,
        strictSkills: true,
      },
      ...{ maxResults: 20, offset: 40, sort: "followers" },
    });
    expect(toSearchRequest(read("skills=Go"))).toEqual({
      ...{ location: "worldwide", skills: ["Go"], maxResults: 20 },
    });
  });

  test("empty fields, pages and what others add to a link ask for nothing", () => {
    for (const query of [
      "",
      "location=&role=&skills=%2C",
      "page=2",
      "utm_source=mail",
      "sort=activity",
    ])
      expect([query, hasQuery(read(query))]).toEqual([query, false]);
    for (const [page, offset] of [
      ["0", 0],
      ["-3", 0],
      ["x", 0],
      ["1.9", 0],
      ["11", 200],
      ["999", 200],
    ] as const)
      expect([page, read(`skills=Go&page=${page}`).offset]).toEqual([page, offset]);
  });

  test("each filter can be taken away", () => {
    const names = { place: "Berlin, Germany", role: "Backend Developer", named: (t: string) => t };
    const filters = listFilters(read(whole), names);
    expect(filters.map(({ label }) => label)).toEqual([
      ...["Berlin, Germany", "Backend Developer", "Go", "Kubernetes", "written in Rust"],
      ...["worked in acme/payments", "worked in ledger", "company @acme", "2.5 years or more"],
      ...["at most 20 years", "active since 2026-10-01", "open to work", "all skills"],
    ]);
    expect(filters[2]?.without.skills).toEqual(["Kubernetes"]);
    expect(filters[2]?.without.offset).toBe(0);
    expect(filters[5]?.without.repositories).toEqual(["ledger"]);
  });
});

describe("the same search elsewhere", () => {
  test("as a command, quoted where a shell would read it otherwise", () => {
    const request = toSearchRequest(
      read("location=Val-d'Or&skills=C%2B%2B,Ruby+on+Rails&repositories=acme/pay,x"),
    );
    expect(formatCommand(request)).toBe(
      "roster search 'Val-d'\\''Or' --skills 'C++,Ruby on Rails' --repositories acme/pay,x --max-results 20",
    );
  });

  test("as curl, whose body survives an apostrophe", async () => {
    const input = { location: "Val-d'Or" };
    const parts = formatCall({ method: "POST", path: "/v1/search" }, input, {
      address: "http://x",
      key: "k",
    });
    const shell = Bun.spawn(["sh", "-c", `curl() { printf %s "$8"; }; ${parts.join(" ")}`]);
    expect(JSON.parse(await new Response(shell.stdout).text())).toEqual(input);
  });
});

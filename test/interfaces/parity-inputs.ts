/** What the four interfaces are asked alike. A interface that has no way to say an input is named, with the reason. */

export interface ParityInput {
  readonly operation:
    | "search_developers"
    | "get_developer"
    | "analyze_profile"
    | "lookup_terms"
    | "find_people"
    | "who_knows";
  readonly input: Readonly<Record<string, unknown>>;
  readonly cannot?: Partial<Record<"rest" | "cli", string>>;
}

const path = "the path holds one text, and no other field";
const texts = "a query holds texts, and numbers by the schema";
const typed = "flags are texts, numbers and switches by the schema";
const lenient = "the tools alone take it (decision 35): test/interfaces/mcp/lenient-input.test.ts";
const named = "an option that is not known is refused by the command line itself";

const ask =
  (operation: ParityInput["operation"]) =>
  (input: ParityInput["input"], cannot: ParityInput["cannot"] = {}): ParityInput => {
    return { operation, input, cannot };
  };
const [search, get, analyze] = [
  ask("search_developers"),
  ask("get_developer"),
  ask("analyze_profile"),
];
const [lookup, find, who] = [ask("lookup_terms"), ask("find_people"), ask("who_knows")];
const payments = { repository: "onyx-vault" };
const berlin = { location: "Berlin" };
const worldwide = { location: "Worldwide" };
const many = (count: number) => Array.from({ length: count }, (_, index) => `skill${index}`);

export const parityInputs: readonly ParityInput[] = [
  who(payments),
  who({
    repository: "https://forge.example.com/demo-guild/onyx-vault.git",
    path: "./services/payments/",
  }),
  who({ path: "services/payments/ledger.ts" }),
  who({ ...payments, paths: ["services/payments/money.ts", "docs/guide.md"] }),
  who({ ...payments, paths: ["services/payments/money.ts", "services/payments/never.ts"] }),
  who({ package: "npm:example-money" }),
  who({ ...payments, asOf: "2025-01-31" }),
  who({ ...payments, limit: 1 }),
  // Not there: an answer, which counts.
  who({ repository: "example-payment" }),
  who({ ...payments, path: "nowhere" }),
  // Not well formed: does not count.
  who({}),
  who({ ...payments, package: "npm:example-money", path: "services" }),
  who({ ...payments, asOf: "2026-02-30" }),
  who({ ...payments, limit: 51 }),
  who({ ...payments, paths: Array.from({ length: 501 }, (_, at) => `src/file-${at}.ts`) }),
  search(berlin),
  search({ location: "Germany", maxResults: 2, offset: 2 }),
  search({ ...worldwide, skills: ["Go", "Kubernetes"], strictSkills: true }),
  search({ ...worldwide, languages: ["TypeScript", "Swift"] }),
  search({ ...worldwide, role: "frontend", isHireable: true }),
  search({ ...worldwide, minExperienceYears: 10.5 }),
  search({ ...worldwide, activeSince: "2026-10-01" }),
  search({ ...worldwide, maxExperienceYears: 10.5, sort: "experience" }),
  search({ ...worldwide, sort: "followers", fields: ["followers", "name"] }),
  search({ ...worldwide, company: "@Acme" }),
  search({ ...worldwide, sort: "folowers" }),
  search({ ...worldwide, fields: ["e-mail"] }),
  search({ ...worldwide, minExperienceYears: 5, maxExperienceYears: 4 }),
  search({ location: "Berlln" }),
  search({ ...worldwide, skills: ["quantum toaster"] }),
  search({ ...worldwide, repositories: ["ben-sample/WORKBENCH", "ada-example/workbench"] }),
  search({ ...worldwide, repositories: ["example-org/commnos"] }),
  search({ ...berlin, skills: [] }, { cli: typed }),
  search({}),
  search({ location: "" }, { rest: lenient, cli: lenient }),
  search({ location: "   " }),
  search({ location: "Ber\ud800lin" }, { cli: "arguments are valid Unicode" }),
  search({ location: 5 }, { cli: typed }),
  search({ location: null }, { rest: lenient, cli: typed }),
  search({ ...berlin, skill: ["Go"] }, { cli: named }),
  search({ ...berlin, role: "astronaut" }),
  search({ ...berlin, maxResults: 101 }),
  search({ ...berlin, maxResults: 2.5 }),
  search({ ...berlin, maxResults: "many" }),
  search({ ...berlin, maxResults: "5" }, { rest: lenient, cli: typed }),
  search({ ...berlin, activeSince: "2026-02-30" }),
  search({ ...berlin, skills: many(21) }),
  search({ ...berlin, skills: ["Go", 5] }, { cli: typed }),
  search({ ...berlin, isHireable: "yes" }, { cli: typed }),

  lookup({ q: "back", kind: "role" }),
  lookup({ q: "San Fran & Co?" }),
  lookup({ q: "München", kind: "place", limit: 1 }),
  lookup({ q: "c++" }),
  lookup({ q: "example-org/", kind: "repository" }),
  lookup({ q: "zzyzxqua" }),
  lookup({}),
  lookup({ q: "" }, { rest: lenient, cli: lenient }),
  lookup({ q: "Ber", kind: "city" }),
  lookup({ q: "Ber", limit: 51 }),
  lookup({ q: "Ber", limit: "many" }),
  lookup({ q: "Ber", limit: "5" }, { rest: texts, cli: typed }),
  lookup({ q: 5 }, { rest: texts, cli: typed }),
  lookup({ q: "Ber", kinds: "place" }, { cli: named }),

  find({ text: "ada" }),
  find({ text: "sam", limit: 1, offset: 0 }),
  find({ text: "https://forge.example/farid_demo" }),
  find({ text: "ada-example@example.com" }),
  find({ text: "a", offset: 200 }),
  find({ text: "nobody is called so" }),
  find({ text: "%&/" }),
  find({}),
  find({ text: "" }, { rest: lenient, cli: lenient }),
  find({ text: "a\u0007da" }),
  find({ text: 5 }, { cli: typed }),
  find({ text: "ada", limit: 51 }),
  find({ text: "ada", limit: "5" }, { rest: lenient, cli: typed }),
  find({ text: "ada", name: "ada" }, { cli: named }),

  get({ login: "ada-example" }),
  get({ username: "Ben-Sample" }),
  get({ login: "kira-bare" }),
  get({ login: "nobody-here" }),
  get({ login: "a/b?c#d%2Fe" }),
  get({ login: "日本" }),
  get({ login: "ada\u0000example" }),
  get({ login: "ada-example", username: "ada-example" }, { rest: path }),
  get({ login: "ada-example", username: "Ben-Sample" }, { rest: path }),
  get({}, { rest: path }),
  get({ login: "" }, { rest: path, cli: lenient }),
  get({ login: 5 }, { rest: path, cli: typed }),
  get({ login: "ada-example", verbose: true }, { rest: path, cli: named }),

  analyze({ username: "ada-example" }),
  analyze({ login: "elena.test" }),
  analyze({ username: "kira-bare" }),
  analyze({ username: "nobody-here" }),
  analyze({ username: "" }, { rest: lenient, cli: lenient }),
  analyze({}),
  analyze({ login: "ada-example", username: "Ben-Sample" }),
  analyze({ username: ["ada-example"] }, { cli: typed }),
  analyze({ user: "ada-example" }, { cli: named }),
];

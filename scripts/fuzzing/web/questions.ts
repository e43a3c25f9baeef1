/** Visits every page with parameters, and sends every form with its fields; both come from the list of pages. */
import fc from "fast-check";
import { pages } from "../../../src/interfaces/web/pages.ts";
import { weighted } from "../weighted.ts";
import { addresses, type Visitor, values, visitors } from "./visits.ts";

/** The address of a page, opened several times at once. */
export interface Question {
  readonly kind: "question";
  readonly visitor: Visitor;
  /** As in the list, with its `:word`. */
  readonly page: string;
  /** The value of its `:word`; undefined for an existing one. */
  readonly word: string | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly times: number;
  /** Whether the browser only prefetches the page. */
  readonly isAhead: boolean;
  readonly address: string;
}

/** A form, sent several times at once, as a browser sends it from the page with the form. */
export interface Sending
  extends Pick<Question, "visitor" | "page" | "word" | "query" | "times" | "address"> {
  readonly kind: "sending";
  readonly act: string;
}

const search = ["location", "role", "skills", "languages", "repositories", "years"];
const filters = [...search, "hireable", "strict", "page"];
const who = ["repository", "path", "package", "asOf", "without"];
/** The parameters that pages read; a page that is not listed gets some of all of these. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "/": filters,
  "/search/people.csv": filters,
  "/search/people.json": filters,
  "/search/terms": ["field", "q"],
  "/find": ["text"],
  "/who": [...who, "open"],
  "/who/people": [...who, "page"],
  "/who/people.csv": who,
  "/who/handover.csv": who,
  "/who/terms": ["field", "q", "repository"],
  "/developers/:login": ["kind"],
  "/compare": ["login", "login", "login", "add"],
  "/saved/lists/:id": ["format"],
  "/saved/searches/:id": ["format"],
  "/sign-in": ["next", "error", "client_id", "sig"],
  "/set-up": ["token"],
  "/invitation": ["token"],
  "/reset-password": ["token"],
  "/consent": ["client_id", "sig", "exp", "scope", "redirect_uri", "state", "resource"],
  "/oauth2/error": ["error", "error_description", "destination"],
  "/admin/accounts": ["q", "page"],
  "/admin/audit": ["action", "actor", "subject", "from", "to", "before", "check", "format"],
  "/admin/identity": ["at"],
};
const anyParameter = fc.constantFrom(...new Set(Object.values(parameters).flat()), "act", "token");

/** Values that match some of the demo people, in several spellings, and values that a field refuses. */
const sensible = fc.constantFrom(
  ...["ada-example", "ADA-Example ", "Ben-Sample", "chloe-specimen", "nobody-at-all", "ada"],
  ...[
    "Berlin",
    " berlin",
    "worldwide",
    "Springfield",
    "backend",
    "wizard",
    "Go",
    "go,  Rust",
    "k8s",
  ],
  ...["demo-guild/onyx-vault", "services/payments", "react", "2026-01-01", "yes", "csv", "jsonl"],
  ...["2", "3.5", "location", "skills", "location=Berlin&skills=Go", "new", "=1+1", "x;=1+1;"],
);
const texts = weighted([3, sensible], [2, values]);
const word = fc.option(texts, { nil: undefined, freq: 2 });
const times = fc.constantFrom(1, 1, 2, 8);
const somebody = fc.constantFrom<Visitor>(...visitors, "user", "user");
const unread = (own: readonly string[]) =>
  own.length === 0 ? anyParameter : weighted([6, fc.constantFrom(...own)], [1, anyParameter]);

export const questions: fc.Arbitrary<Question> = fc.constantFrom(...pages).chain(({ path }) =>
  fc.record<Question>({
    kind: fc.constant("question"),
    visitor: somebody,
    page: fc.constant(path),
    word,
    query: fc.array(fc.tuple(unread(parameters[path] ?? []), texts), { maxLength: 6 }),
    times,
    isAhead: fc.constantFrom(false, false, false, false, false, true),
    address: addresses,
  }),
);

const forms = pages.flatMap(({ path, actions = {} }) =>
  Object.entries(actions).map(([act, { fields }]) => ({
    path,
    act,
    names: Object.keys(fields.properties),
  })),
);

export const sendings: fc.Arbitrary<Sending> = fc
  .constantFrom(...forms)
  .chain(({ path, act, names }) =>
    fc.record<Sending>({
      kind: fc.constant("sending"),
      visitor: somebody,
      page: fc.constant(path),
      word,
      act: fc.constant(act),
      query: fc.tuple(
        ...names.map((name) => fc.tuple(fc.constant(name), texts)),
      ) as unknown as fc.Arbitrary<Question["query"]>,
      times,
      address: addresses,
    }),
  );

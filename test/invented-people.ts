/** A dozen developers who do not exist, as facts: the pool of the tests that run the whole wiring. */
import type { ByMonth } from "../src/contract/people/credit-facts.ts";
import type { Evidence, Facts } from "../src/contract/people/facts.ts";

/** The first instant of the test clock; the people's last commits are a month older. */
export const testNow = "2026-11-21T12:00:00.000Z";

const months = Array.from({ length: 36 }, (_, back) => {
  const month = new Date(Date.UTC(2026, 9 - back, 1));
  return month.toISOString().slice(0, 7);
}).reverse();

const everyMonth = (amount: number): ByMonth =>
  Object.fromEntries(months.map((month) => [month, amount]));

export interface Sketch {
  readonly login: string;
  readonly location?: string;
  readonly name?: string;
  readonly bio?: string;
  readonly hireable?: boolean;
  readonly since?: number;
  /** Commits in each month of the last three years. */
  readonly monthly?: number;
  /** Evidence, `kind name` each: `language Go`, `import npm:react`. */
  readonly evidence?: readonly string[];
  readonly published?: boolean;
  readonly class?: "bot";
}

export const backend = [
  "language Go",
  "import go:google.golang.org/grpc",
  "manifest docker:postgres",
];
export const cluster = ["import go:k8s.io/client-go", "path kubernetes", "path dockerfile"];
const frontend = ["language TypeScript", "import npm:react", "import npm:next", "language CSS"];

const sketches: readonly Sketch[] = [
  {
    login: "ada-example",
    name: "Ada Example",
    location: "Berlin, Germany",
    bio: "Backend engineer. Distributed things, mostly.",
    hireable: true,
    since: 2012,
    monthly: 30,
    evidence: [...backend, ...cluster],
    published: true,
  },
  {
    login: "Ben-Sample",
    name: "Ben Sample",
    location: "Berlin",
    bio: "I draw interfaces.",
    hireable: false,
    since: 2016,
    monthly: 12,
    evidence: frontend,
  },
  {
    login: "chloe-specimen",
    location: "Munich, Bavaria, Germany",
    since: 2014,
    monthly: 8,
    evidence: ["language Python", "import pypi:django", "manifest pypi:django"],
    published: true,
    hireable: true,
  },
  { login: "dmitri-mock", location: "Hamburg", since: 2019, monthly: 4, evidence: backend },
  { login: "elena.test", location: "Paris, France", since: 2018, monthly: 6, evidence: frontend },
  {
    login: "farid_demo",
    location: "London, UK",
    since: 2013,
    monthly: 20,
    evidence: ["language HCL", "path terraform", "path ci", ...cluster],
    hireable: true,
  },
  {
    login: "grace-placeholder",
    location: "San Francisco, CA",
    since: 2015,
    monthly: 5,
    evidence: ["language Swift", "path ios", "import swift:alamofire"],
  },
  {
    login: "hugo-nobody",
    location: "Cambridge, UK",
    since: 2011,
    monthly: 9,
    evidence: ["language Java", "import maven:org.springframework.boot:spring-boot"],
  },
  {
    login: "iris-dummy",
    location: "Atlanta, Georgia, USA",
    since: 2020,
    monthly: 3,
    evidence: ["language Python", "import pypi:torch", "path notebook"],
  },
  // Twins but for the login: only the tie-break tells them apart.
  { login: "twin-b", location: "Tokyo, Japan", since: 2017, monthly: 5, evidence: backend },
  { login: "twin-a", location: "Tokyo, Japan", since: 2017, monthly: 5, evidence: backend },
  // Nothing but a login and a place: every unknown value must be left out of the answer.
  { login: "kira-bare", location: "Lisbon, Portugal" },
  {
    login: "renovator-bot",
    location: "Berlin",
    since: 2021,
    monthly: 40,
    evidence: ["language Go"],
    class: "bot",
  },
];

export const inventedPeople: readonly Facts[] = sketches.map(inventPerson);

export function inventPerson(sketch: Sketch): Facts {
  const { login, since, monthly, evidence = [] } = sketch;
  return {
    login,
    source: "test",
    ...(sketch.class ? { class: sketch.class, classReason: "made for a test" } : {}),
    profile: {
      ...(sketch.name ? { name: sketch.name } : {}),
      ...(sketch.bio ? { bio: sketch.bio } : {}),
      ...(sketch.location ? { location: sketch.location } : {}),
      ...(sketch.hireable === undefined ? {} : { hireable: sketch.hireable }),
      ...(since ? forgeProfile(login, since) : {}),
    },
    emails: since ? [emailOf(sketch)] : [],
    repositories: since ? repositoriesOf(sketch) : [],
    ...(monthly ? { commits: commitsOf(monthly, since ?? 2020) } : {}),
    evidence: evidence.map((entry) => evidenceOf(entry, monthly ?? 0)),
  };
}

function forgeProfile(login: string, since: number) {
  return {
    createdAt: `${since}-03-14T09:26:53Z`,
    updatedAt: "2026-11-01T00:00:00Z",
    followers: since,
    profileUrl: `https://forge.example/${login}`,
    avatarUrl: `https://forge.example/${login}.png`,
  };
}

function emailOf({ login, published = false }: Sketch) {
  return {
    address: `${login.toLowerCase()}@example.com`,
    sources: published ? ["profile", "commits"] : ["commits"],
    published,
  };
}

function repositoriesOf({ login, monthly = 0, evidence = [] }: Sketch) {
  const language = evidence.find((entry) => entry.startsWith("language "))?.slice(9) ?? "Go";
  return [
    {
      name: `${login}/workbench`,
      owned: true,
      commits: monthly * 20,
      language,
      stars: monthly * 10,
      forks: monthly,
      topics: ["sample", "quantum toaster"],
      firstCommit: "2023-11-01",
      lastCommit: "2026-10-20",
    },
    {
      name: "example-org/commons",
      owned: false,
      commits: monthly * 10,
      language,
      stars: 2500,
      authors: 140,
      firstCommit: "2024-01-01",
      lastCommit: "2026-09-20",
    },
  ];
}

function commitsOf(monthly: number, since: number) {
  const total = monthly * months.length;
  return {
    total,
    volume: everyMonth(monthly),
    first: `${Math.max(since, 2023)}-11-02`,
    last: "2026-10-20",
    semantic: { eligible: total, matches: Math.floor(total / 2) },
    quality: {
      n: total,
      good: Math.floor(total * 0.7),
      withBody: Math.floor(total / 3),
      withReference: Math.floor(total / 4),
      withReason: Math.floor(total / 5),
    },
    reviews: 12,
    mergedElsewhere: 7,
  };
}

function evidenceOf(entry: string, monthly: number): Evidence {
  const [kind, ...name] = entry.split(" ");
  const own = Math.ceil(monthly / 2);
  return {
    kind: kind as Evidence["kind"],
    name: name.join(" "),
    commits: own * months.length,
    lines: own * months.length * 40,
    months: everyMonth(own),
    repositories: ["workbench"],
  };
}

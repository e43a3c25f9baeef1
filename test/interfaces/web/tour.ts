/**
 * Every page with something on it, for whoever looks at all of them: the tests of their widths, and the pictures of
 * scripts/screenshots. One tour is over the demo people, one over people whose names try the layout.
 */
import type { Page } from "playwright-core";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { inventedRepository } from "../../invented-authorship.ts";
import { backend, cluster, inventPerson, type Sketch } from "../../invented-people.ts";
import { acceptInvitation } from "./looks.ts";

const boss = "boss.of.a.large.department@corp.example";
const longEmail = "a.holder.with.a.long.name@department.of-many-words.example.com";

export type Stop = readonly [name: string, path: string];

export interface Tour {
  readonly roster: TestAppliance;
  readonly address: string;
  /** Pages of visitors; open them signed out, before somebody enters. */
  readonly outside: readonly Stop[];
  /** Signs this tab in as an administrator who has saved something. @returns the pages that are there then. */
  enter(tab: Page): Promise<readonly Stop[]>;
}

/** The tour shows the button of this provider, and never signs in there. */
const provider = {
  ...{ id: "corp", name: "Example Corporation", domains: ["corp.example"], administrators: false },
  ...({ plan: "free", planClaim: undefined, plans: {} } as const),
  protocol: { kind: "oidc", issuer: "https://idp.corp.example", clientId: "x", clientSecret: "y" },
} as const;

const mail = {
  ...{ server: "smtp://127.0.0.1:1", from: "roster@corp.example" },
  ...{ user: undefined, passwordFile: undefined, password: undefined },
};

/** A tour over the demo people. Close its appliance. */
export async function openDemoTour(): Promise<Tour> {
  const roster = await openTestAppliance({
    ...{ now: new Date().toISOString(), people: [], folder: true },
    config: {
      ...{ demo: true, mail },
      signIn: { signUp: "open", assistantsRegister: true, providers: [provider] },
    },
  });
  return openTour(roster, {
    people: ["ada-example", "gokce-ciyduzu-example", "kerem-ciyduzu-example"],
    search: "/?location=Berlin&role=backend&skills=Go,k8s,Frobnicator",
    repository: "demo-guild/onyx-vault",
    folders: ["services", "services/payments"],
    find: "ada",
  });
}

const long =
  "supercalifragilistic-expialidocious-wolfeschlegelsteinhausenbergerdorff-of-the-department-of-names-x";

/** Names of 100 letters without a blank, names without Latin letters, and names that are read from the right. */
const hardPeople: readonly Sketch[] = [
  {
    login: long.slice(0, 100),
    name: "W".repeat(100),
    location: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch, Berlin",
  },
  {
    login: "wang-xiaoming",
    name: "王小明王小明王小明王小明王小明王小明王小明",
    location: "北京市海淀区中关村",
  },
  {
    login: "layla-almansouri",
    name: "ليلى عبد الرحمن المنصوري الأندلسي",
    location: "القاهرة، مصر",
  },
  { login: "noa-levi", name: "נועה לוי־בן דוד (Noa)", location: "Tel Aviv, Israel" },
].map((sketch) => ({
  ...sketch,
  ...{
    since: 2014,
    monthly: 90,
    evidence: [...backend, ...cluster],
    published: true,
    hireable: true,
  },
  bio: `${"x".repeat(80)} מפתחת تطوير 開発`,
}));

const longFolder = "f".repeat(100);
/** Long and foreign paths, ordered by code units. */
const hardPaths = [
  `${longFolder}/${longFolder}/${"l".repeat(97)}.ts`,
  `תיקייה ארוכה/${"מסמך־".repeat(20)}.md`,
  `资料/${"设计文档".repeat(25)}.md`,
];

/** A tour over people whose names are long, without Latin letters, or read from the right. Close its appliance. */
export async function openNamesTour(): Promise<Tour> {
  const roster = await openTestAppliance({
    people: hardPeople.map(inventPerson),
    config: { mail },
  });
  const logins = hardPeople.map(({ login }) => login);
  const repository = {
    ...inventedRepository,
    name: `${"long-owner-".repeat(4)}/${"long-name-".repeat(6)}`,
    blocks: [...inventedRepository.blocks].map((block) => ({ ...block, paths: hardPaths })),
  };
  await roster.modules.pool.authorship.replace(repository);
  await roster.modules.pool.authorship.nameAuthors(repository.key, logins.slice(0, 3));
  return openTour(roster, {
    people: logins.slice(0, 3),
    search: "/?location=worldwide&skills=Go",
    repository: repository.name,
    folders: [longFolder, `${longFolder}/${longFolder}`],
    find: "w",
  });
}

interface Sights {
  readonly people: readonly string[];
  readonly search: string;
  readonly repository: string;
  /** A folder of it, and one in that. */
  readonly folders: readonly [string, string];
  readonly find: string;
}

async function openTour(roster: TestAppliance, sights: Sights): Promise<Tour> {
  const address = roster.listen();
  const { accounts } = roster.modules;
  const spent = await accounts.create({ email: longEmail, plan: "free", callsPerMonth: 12 });
  for (let call = 0; call < 12; call++) await roster.client.get("nobody-at-all", spent.key);
  const [a = "", b = ""] = sights.people.map((login) => `${long} <${login}@example.com>`);
  await roster.modules.pool.decisions.add({
    ...{ kind: "different", a, b, by: "operator", reason: `${long} said so` },
    evidence: [`were one by same name ${long} in ${sights.repository}`],
  });
  await accounts.createWithoutKey({ email: boss, plan: "enterprise", administrator: true });
  const setUp = await accounts.makeLink("admin@localhost", "set-up");
  const invitation = await accounts.makeLink(boss, "invitation");
  return {
    roster,
    address,
    outside: [
      ["home", "/"],
      ["docs", "/docs"],
      ["sign-in", "/sign-in"],
      ["sign-in-cancelled", "/sign-in?error=access_denied"],
      ["sign-up", "/sign-up"],
      ["set-up", `/set-up?token=${setUp.token}`],
      ["invitation", `/invitation?token=${invitation.token}`],
      ["dead-link", "/reset-password?token=used"],
      ["dead-end", "/oauth2/error?error_description=invalid redirect"],
      ["not-found", "/nothing/here"],
    ],
    enter: async (tab) => {
      await acceptInvitation(roster, tab, boss);
      const account = (await accounts.find(longEmail))?.id ?? "";
      return [...listStops(sights, account), ...(await saveThings(tab, sights))];
    },
  };
}

function listStops(
  { people, search, repository, folders, find }: Sights,
  account: string,
): readonly Stop[] {
  const [one = ""] = people;
  const developer = `/developers/${encodeURIComponent(one)}`;
  const who = `/who?repository=${encodeURIComponent(repository)}`;
  return [
    ["search-home", "/"],
    ["search", search],
    ["search-long", "/?location=worldwide&page=3"],
    ["search-past-end", "/?location=Berlin&page=9"],
    ["search-nobody", "/?location=Berlin&skills=Go,COBOL&strict=yes"],
    ["search-place", "/?location=Berlinn"],
    ["search-repository", "/?repositories=acme/nothing-like-it&years=2"],
    ["search-refused", "/?location=Berlin&role=wizard"],
    ["find", `/find?text=${find}`],
    ["find-nobody", "/find?text=zzzz"],
    ["developer", developer],
    ["developer-match", `${developer}?location=Berlin&role=backend&skills=Go`],
    ["developer-unmatched", `${developer}?location=Munich&skills=Go,COBOL&strict=yes`],
    ["developer-unknown", "/developers/nobody-at-all"],
    ["developer-identity", `${developer}/identity`],
    ["compare-none", "/compare?login="],
    ["compare", formatComparison([...people, "nobody-at-all"])],
    ["compare-match", `${formatComparison(people.slice(0, 2))}&location=Berlin&skills=Go`],
    ["who-home", "/who"],
    ["who-review", "/who/review"],
    ["who", who],
    ["who-folder", `${who}&path=${encodeURIComponent(folders[0])}`],
    ["who-open", `${who}&open=${encodeURIComponent(folders[1])}`],
    ["who-handover", `${who}&without=${encodeURIComponent(one)}`],
    ["who-slip", `${who}&path=${encodeURIComponent(`${folders[1]}x`)}`],
    ["who-past", `${who}&asOf=2020-06-30`],
    ["who-everybody", who.replace("/who?", "/who/people?")],
    ["saved", "/saved"],
    ["account", "/account"],
    ["account-api", "/account/api"],
    ["account-assistants", "/account/assistants"],
    ["account-security", "/account/security"],
    ["admin", "/admin"],
    ["admin-runs", "/admin/runs"],
    ["admin-identity", "/admin/identity"],
    ["admin-decisions", "/admin/identity/decisions"],
    ["admin-accounts", "/admin/accounts"],
    ["admin-accounts-none", "/admin/accounts?q=nobody"],
    ["admin-account", `/admin/accounts/${account}`],
    ["admin-usage", "/admin/usage"],
    ["admin-sources", "/admin/sources"],
    ["admin-webhooks", "/admin/webhooks"],
    ["admin-model", "/admin/model"],
    ["admin-settings", "/admin/settings"],
    ["admin-audit", "/admin/audit"],
    ["admin-audit-checked", "/admin/audit?check"],
    ["admin-audit-who", `/admin/audit?action=account&who=${encodeURIComponent(boss)}`],
    ["admin-forget", "/admin/forget"],
    ["docs-signed-in", "/docs"],
    ["not-found-signed-in", "/nothing/here"],
    ["sign-out", "/sign-out"],
  ];
}

const formatComparison = (logins: readonly string[]) =>
  `/compare?${logins.map((login) => `login=${encodeURIComponent(login)}`).join("&")}`;

/** Saves a search, and people on a list. */
async function saveThings(tab: Page, { people, search }: Sights): Promise<readonly Stop[]> {
  await tab.goto("/account/api");
  const token = await tab.locator('input[name="token"]').first().inputValue();
  const { origin } = new URL(tab.url());
  const send = async (to: string, fields: Record<string, string>) => {
    const sent = await tab.request.post(to, {
      form: { token, ...fields },
      headers: { origin },
    });
    return new URL(sent.url()).pathname;
  };
  // The overview then has a backup to show, if there is a folder.
  await tab.request.post("/admin", { form: { token, act: "back-up" }, headers: { origin } });
  const query = search.slice(search.indexOf("?") + 1);
  const saved = await send("/saved", {
    act: "save-search",
    name: "Go, the whole world over",
    query,
  });
  const hook = { act: "add", address: `https://hooks.example.com/${long}`, "run.ended": "yes" };
  await send("/admin/webhooks", hook);
  await send(saved, { act: "mail-on" });
  const [login = "", other = ""] = people;
  const name = "Backend, for the team of payments";
  const list = await send("/saved/add", { act: "add", login, name });
  const note = `Met in May. ${"Writes ".repeat(20)}`;
  await send(list, { act: "add", login: other, note });
  return [
    ["saved-search", saved],
    ["saved-list", list],
  ];
}

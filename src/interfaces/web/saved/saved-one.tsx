/** One list, and one search, of those that an account keeps. */
import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import {
  type ListEntry,
  type PeopleList,
  type RankedLogin,
  savedLimits,
} from "../../../control/saved-records.ts";
import { formatCsv } from "../csv.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Field, Form, PasswordProtected, Problems } from "../look/forms.tsx";
import { Ago, Badge, EmptyState, FactList, NoticeBox, Panel } from "../look/parts.tsx";
import {
  type Download,
  defineAction,
  defineSignedInPage,
  requireOwn,
  type SignedInRequest,
} from "../page.ts";
import { createSavedEntry, describeChanges, putOnList, runSearch } from "./saved-page.tsx";

const linkTo = (login: string) => `/developers/${encodeURIComponent(login)}`;
const csv = "text/csv; charset=utf-8";

export const listPage = defineSignedInPage({
  path: "/saved/lists/:id",
  show: async (ask) => {
    const list = await getList(ask);
    if (ask.url.searchParams.get("format") === "csv") return exportList(list);
    const cards = await ask.modules.operating.pool.findCards(
      list.entries.map(({ login }) => login),
    );
    const body = (
      <>
        <h1>{list.name}</h1>
        <p>
          <a href="/saved">All lists and searches</a>
        </p>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <Panel title={list.people === 1 ? "1 person" : `${formatCount(list.people)} people`}>
          {list.entries.length === 0 ? (
            <EmptyState>Nobody is on the list yet.</EmptyState>
          ) : (
            <>
              <ul class="rows">
                {list.entries.map((entry, at) => (
                  <EntryRow ask={ask} entry={entry} isHere={cards[at] !== undefined} />
                ))}
              </ul>
              <p class="small">
                <a href={`${ask.url.pathname}?format=csv`}>Download as CSV</a>
              </p>
            </>
          )}
        </Panel>
        <Panel title="Add somebody">
          <Form ask={ask} act="add" submit="Add to the list" tone="plain">
            <Field
              form={{ ask, act: "add" }}
              name="login"
              label="Login"
              hint="Looking up a login counts as one call; adding somebody from their own page does not."
            />
            <Field form={{ ask, act: "add" }} name="note" label="Note" optional />
          </Form>
        </Panel>
        <PasswordProtected ask={ask} act="remove-list" label="Remove the list">
          <p>The list and its notes are gone for good; the people stay where they are.</p>
          <Form ask={ask} act="remove-list" submit="Remove the list" tone="danger" />
        </PasswordProtected>
      </>
    );
    return { title: list.name, body };
  },
  actions: {
    add: defineAction(
      Type.Object({
        login: defineText("Login", 250),
        note: defineOptionalText("Note", savedLimits.noteLengthMax),
      }),
      (ask: SignedInRequest, person) => putOnList(ask, getId(ask), person),
    ),
    remove: defineAction(
      Type.Object({ login: defineText("Login", 250) }),
      async (ask: SignedInRequest, { login }) => {
        const { saved } = ask.modules.control;
        await getList(ask);
        await saved.removeEntry(ask.visitor.account.id, getId(ask), login, ask.now);
        return { goTo: ask.url.pathname, notice: { text: `${login} is off the list.` } };
      },
    ),
    "remove-list": defineAction(Type.Object({}), async (ask: SignedInRequest) => {
      const by = createSavedEntry(ask, "list.removed", getId(ask));
      const { saved } = ask.modules.control;
      requireOwn(await saved.removeList(ask.visitor.account.id, getId(ask), by), "list");
      return { goTo: "/saved", notice: { text: "The list is removed." } };
    }),
  },
});

const getId = ({ params }: SignedInRequest) => params["id"] ?? "";

async function getList(ask: SignedInRequest): Promise<PeopleList> {
  const list = await ask.modules.control.saved.findList(ask.visitor.account.id, getId(ask));
  if (list) return list;
  throw new Problem("not_found", { message: "You have no such list." });
}

function EntryRow({
  ask,
  entry: { login, note, addedAt },
  isHere,
}: {
  readonly ask: SignedInRequest;
  readonly entry: ListEntry;
  readonly isHere: boolean;
}) {
  return (
    <li>
      <div class="row-head">
        <div class="free">
          {isHere ? <a href={linkTo(login)}>{login}</a> : login}{" "}
          {!isHere && <Badge tone="warn">no longer in the pool</Badge>}
        </div>
        <Form ask={ask} act="remove" submit="Take off" tone="plain" inline>
          <input type="hidden" name="login" value={login} />
        </Form>
      </div>
      {note !== "" && <p class="free">{note}</p>}
      <p class="muted small">
        added <Ago at={addedAt} now={ask.now} />
      </p>
    </li>
  );
}

function exportList({ name, entries }: PeopleList): Download {
  const rows = entries.map(({ login, note, addedAt }) => [login, note, addedAt]);
  const content = formatCsv([["login", "note", "added_at"], ...rows]);
  return { content, type: csv, fileName: toFileName(name) };
}

/** Nothing that a header or a file system takes for more than a name. */
const toFileName = (name: string) =>
  `${name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "list"}.csv`;

export const savedSearchPage = defineSignedInPage({
  path: "/saved/searches/:id",
  show: async (ask) => {
    const search = await getSearch(ask);
    const { name, query, total, seenAt, ranAt, found } = search;
    if (ask.url.searchParams.get("format") === "csv") {
      const rows = found.map((one) => [one.login, one.score, one.seenScore, findState(one)]);
      const content = formatCsv([["login", "score", "score_before", "state"], ...rows]);
      return { content, type: csv, fileName: toFileName(name) };
    }
    const hasChanges = search.new + search.gone + search.changed > 0;
    const body = (
      <>
        <h1>{name}</h1>
        <p>
          <a href="/saved">All lists and searches</a>
        </p>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <Panel title="What has changed">
          <p>
            <strong>{describeChanges(search)}</strong>
          </p>
          <FactList
            facts={[
              ["Last run", <Ago at={ranAt} now={ask.now} />],
              ["Last looked at", <Ago at={seenAt} now={ask.now} />],
              ["People", formatCount(total)],
            ]}
          />
          <div class="actions">
            <Form ask={ask} act="run" submit="Run again (one call)" inline />
            {hasChanges && (
              <Form ask={ask} act="seen" submit="I have seen these" tone="plain" inline />
            )}
            <a class="button plain small-button" href={`/?${query}`}>
              Open the search
            </a>
          </div>
        </Panel>
        <Found ask={ask} found={found} total={total} />
        <PasswordProtected ask={ask} act="remove-search" label="Remove the saved search">
          <p>It no longer tells what has changed; nothing else is lost.</p>
          <Form ask={ask} act="remove-search" submit="Remove the saved search" tone="danger" />
        </PasswordProtected>
      </>
    );
    return { title: name, body };
  },
  actions: {
    run: defineAction(Type.Object({}), async (ask: SignedInRequest) => {
      const run = await runSearch(ask, (await getSearch(ask)).query);
      if ("refusal" in run) return run;
      const { saved } = ask.modules.control;
      requireOwn(await saved.noteRun(ask.visitor.account.id, getId(ask), run), "saved search");
      return { goTo: ask.url.pathname, notice: { text: "The search has been run again." } };
    }),
    seen: defineAction(Type.Object({}), async (ask: SignedInRequest) => {
      const { saved } = ask.modules.control;
      requireOwn(await saved.markSeen(ask.visitor.account.id, getId(ask)), "saved search");
      const text = "What is found now counts as seen: the next run tells what has changed since.";
      return { goTo: ask.url.pathname, notice: { text } };
    }),
    "remove-search": defineAction(Type.Object({}), async (ask: SignedInRequest) => {
      const by = createSavedEntry(ask, "search.removed", getId(ask));
      const { saved } = ask.modules.control;
      const isGone = await saved.removeSearch(ask.visitor.account.id, getId(ask), by);
      requireOwn(isGone, "saved search");
      return { goTo: "/saved", notice: { text: "The saved search is removed." } };
    }),
  },
});

async function getSearch(ask: SignedInRequest) {
  const search = await ask.modules.control.saved.findSearch(ask.visitor.account.id, getId(ask));
  if (search) return search;
  throw new Problem("not_found", { message: "You have no such saved search." });
}

function findState({ seenScore, score }: RankedLogin): "new" | "gone" | "changed" | "" {
  if (seenScore === undefined) return "new";
  if (score === undefined) return "gone";
  return seenScore === score ? "" : "changed";
}

const stateTones = { new: "good", gone: "bad", changed: "warn" } as const;

function Found({
  ask,
  found,
  total,
}: {
  readonly ask: SignedInRequest;
  readonly found: readonly RankedLogin[];
  readonly total: number;
}) {
  return (
    <Panel title="People">
      {found.length === 0 ? (
        <EmptyState>Nobody was found.</EmptyState>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Login</th>
              <th scope="col" class="number">
                Score
              </th>
              <th scope="col">Since then</th>
            </tr>
          </thead>
          <tbody>
            {found.map((one) => {
              const state = findState(one);
              return (
                <tr>
                  <th scope="row">
                    <a href={linkTo(one.login)}>{one.login}</a>
                  </th>
                  <td class="number">{one.score ?? ""}</td>
                  <td>
                    {state !== "" && <Badge tone={stateTones[state]}>{state}</Badge>}
                    {state === "changed" && <span class="small muted"> was {one.seenScore}</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {total > savedLimits.foundMax && (
        <p class="small muted">
          The best {formatCount(savedLimits.foundMax)} are kept and compared; more fit.
        </p>
      )}
      {found.length > 0 && (
        <p class="small">
          <a href={`${ask.url.pathname}?format=csv`}>Download as CSV</a>
        </p>
      )}
    </Panel>
  );
}

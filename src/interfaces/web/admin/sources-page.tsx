import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import { defineText } from "../form.ts";
import { formatCount, formatCounted, formatPeople } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, Callout, EmptyState, FactList, Instant, Message, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import type { SourceStatus } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";
import { kindNames, SourceForm } from "./source-form.tsx";

/** Lists the forges from which Roster reads people, with the age of their data and their faults. */
export const sourcesPage = defineAdministratorPage({
  path: "/admin/sources",
  show: async (ask) => {
    const sources = await ask.modules.sources.list();
    const isRunning = sources.some((source) => source.isRunning);
    const body = (
      <>
        <p>
          Forges from which Roster reads people. <code>[[sources]]</code> in the settings file names
          them and says how often. Git histories on this machine need no source: see{" "}
          <a href="/admin/runs">Runs</a>.
        </p>
        {sources.length === 0 ? (
          <EmptyState>None yet: Roster asks no forge that the settings do not name.</EmptyState>
        ) : (
          <div class="stack-wide" {...createPolling(isRunning, "/admin/sources", "sources")}>
            {sources.map((source) => (
              <SourcePanel ask={ask} source={source} />
            ))}
          </div>
        )}
        <SourceForm ask={ask} />
      </>
    );
    return { title: "Sources", body, moves: true };
  },
  actions: {
    refresh: defineAction(
      { source: defineText("Source", 60) },
      async (ask: SignedInRequest, { source }) => {
        const { modules, visitor } = ask;
        if (!(await modules.sources.request(source, visitor.account.id))) {
          return { refusal: `The settings have no source ${source}.` };
        }
        const text = `${source} is asked as soon as other refreshes leave room.`;
        return { goTo: "/admin/sources", notice: { text } };
      },
    ),
  },
});

function SourcePanel({ ask, source }: SignedInProperties & { readonly source: SourceStatus }) {
  const { now } = ask;
  const { id, kind, address, remaining, fault, pausedUntil, isKnown } = source;
  return (
    <Panel title={id} id={`source-${id}`}>
      {fault && (
        <Callout tone="wrong" title="It could not be read" role="alert">
          <p class="free" title={fault}>
            <Message text={fault.replace(codeForm, ".")} />
          </p>
          <p>
            <Message text={chooseRemedy(fault)} />
          </p>
        </Callout>
      )}
      {source.isRunning && (
        <ProgressLine progress={source.progress} label={`Progress of ${id}`} now={now} />
      )}
      <FactList
        facts={[
          ["Forge", `${kindNames[kind as ForgeKind] ?? kind}, ${address}`],
          ["Read whole", <Ago at={source.completedAt} now={now} />],
          [
            "It told of",
            `${formatPeople(source.people).toLowerCase()}, ${formatCounted(source.repositories, "repository", "repositories")}`,
          ],
          [
            "Left out",
            `${formatCount(source.hidden)} hidden, ${formatCount(source.suppressed)} forgotten`,
          ],
          remaining !== undefined && ["Requests left", formatCount(remaining)],
          pausedUntil && ["Waits until", <Instant at={new Date(pausedUntil)} now={now} />],
          ["Next", describeNext(source, now)],
        ]}
      />
      {isKnown && (
        <Form
          {...{ ask, act: "refresh", hidden: { source: id } }}
          submit="Ask again now"
          tone="plain"
          inline
        />
      )}
    </Panel>
  );
}

/** Matches an error code of the operating system at the end of a fault. */
const codeForm = /: [A-Z][A-Z ]+\.$/;

/** Remedies by words that the fault contains. The first match counts. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /token.{0,80}refused|may not read/,
    "Make a new token on the forge, with the rights that `docs/forges.md` lists, and put it where the old one is. In a file it needs no restart.",
  ],
  [
    /holds? (a|one) token/,
    "Mend the file with the token on the server, then ask again. It needs no restart.",
  ],
  [
    /ECONNREFUSED/,
    "Nothing answers at this address and port: see whether the forge runs, and whether `url` in the settings file is right.",
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    "The server knows no machine of this name: correct `url` in the settings file, or the server's name service.",
  ],
  [
    /certificate|CERT|self.signed/i,
    "The forge's certificate is not trusted: name its authority with `caFile` in the settings file.",
  ],
  [
    /cannot be reached/,
    "See whether the server reaches this address: the name, the network, a proxy (`HTTPS_PROXY`), a private authority (`caFile`). Then ask again.",
  ],
  [
    /url (right|must be)|must begin with https|sends elsewhere/,
    "Correct `url` in the settings file, and start Roster again.",
  ],
  [
    /limit that it says is open|overloaded|answered (429|5\d\d)/,
    "The forge has too much to do. Roster goes on by itself; `requestsPerHour` in the settings file asks it less often.",
  ],
  [/maxHours/, "Nothing needs to be done: the next reading goes on where this one ended."],
];

const otherRemedy =
  "What was read is kept, and Roster tries again by itself within minutes. If it stays, the log of the server says more.";

const chooseRemedy = (fault: string): string =>
  remedies.find(([words]) => words.test(fault))?.[1] ?? otherRemedy;

function describeNext({ isRunning, nextAt }: SourceStatus, now: Date) {
  if (isRunning) return "now";
  if (nextAt === undefined) return "never: the settings do not name it";
  const at = new Date(nextAt);
  return at <= now ? "within a minute" : <Instant at={at} now={now} />;
}

import { defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, EmptyState, FactList, Instant, Panel } from "../look/parts.tsx";
import { defineAction, defineAdministratorPage, type SignedInProperties } from "../page.ts";
import type { SourceStatus } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";

/** The forges from which Roster reads people: the age of what they answered, and their faults. */
export const sourcesPage = defineAdministratorPage({
  path: "/admin/sources",
  show: (ask) => {
    const sources = ask.modules.sources.list();
    const body = (
      <>
        <p>
          Forges from which Roster reads people. <code>[[sources]]</code> in the settings file names
          them and says how often.
        </p>
        {sources.length === 0 ? (
          <Panel title="None">
            <EmptyState>Roster reads no forge, and never has.</EmptyState>
          </Panel>
        ) : (
          <div
            class="stack-wide"
            {...createPolling(
              sources.some(({ isRunning }) => isRunning),
              "/admin/sources",
              "sources",
            )}
          >
            {sources.map((source) => (
              <SourcePanel ask={ask} source={source} />
            ))}
          </div>
        )}
      </>
    );
    return { title: "Sources", body, moves: true };
  },
  actions: {
    refresh: defineAction({ source: defineText("Source", 60) }, ({ modules }, { source }) =>
      modules.sources.request(source)
        ? {
            goTo: "/admin/sources",
            notice: { text: `${source} is refreshed as soon as possible.` },
          }
        : { refusal: `The settings have no source ${source}.` },
    ),
  },
});

function SourcePanel({ ask, source }: SignedInProperties & { readonly source: SourceStatus }) {
  const { now } = ask;
  const { id, kind, url, remaining, fault, nextAt, pausedUntil, isConfigured } = source;
  return (
    <Panel title={id}>
      {fault && (
        <p class="wrong" role="alert">
          {fault}
        </p>
      )}
      {source.isRunning && <ProgressLine progress={source.progress} label={`Progress of ${id}`} />}
      <FactList
        facts={[
          ["Forge", `${kind}, ${url}`],
          ["Read whole", <Ago at={source.completedAt} now={now} />],
          ["People", formatCount(source.people)],
          ["Repositories", formatCount(source.repositories)],
          [
            "Left out",
            `${formatCount(source.hidden)} hidden, ${formatCount(source.suppressed)} forgotten`,
          ],
          remaining === undefined ? undefined : ["Requests left", formatCount(remaining)],
          pausedUntil === undefined
            ? undefined
            : ["Waits until", <Instant at={new Date(pausedUntil)} now={now} />],
          ["Next", describeNext(source, nextAt, now)],
        ]}
      />
      {isConfigured && (
        <Form
          ask={ask}
          act="refresh"
          submit="Refresh"
          tone="plain"
          inline
          hidden={{ source: id }}
        />
      )}
    </Panel>
  );
}

function describeNext({ isRunning }: SourceStatus, nextAt: string | undefined, now: Date) {
  if (isRunning) return "now";
  if (nextAt === undefined) return "never: the settings do not name it";
  const at = new Date(nextAt);
  return at <= now ? "within a minute" : <Instant at={at} now={now} />;
}

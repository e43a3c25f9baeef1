import type { SourceKind } from "../../../contract/forge-kinds.ts";
import { formatCount, formatCounted, formatPeople, formatTimeDistance } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Badge, Message } from "../look/parts.tsx";
import { type SignedInProperties, toSentence } from "../page.ts";
import type { SourceStatus } from "./administration.ts";
import { ProgressLine } from "./run-parts.tsx";

const kindNames: Readonly<Record<SourceKind, string>> = {
  ...{ github: "GitHub", gitlab: "GitLab", gitea: "Gitea", git: "Repository", folder: "Folder" },
};

export interface SourceProperties extends SignedInProperties {
  readonly source: SourceStatus;
}

/** Shows what a source is, when it was read, and what is wrong with it. */
export function SourceRow({ ask, source }: SourceProperties) {
  const { id, address, select, isKnown, isRunning, progress } = source;
  return (
    <li id={`source-${id}`}>
      <div class="run-start">
        <div class="free">
          <a id={`open-${id}`} href={`/admin/sources/${id}`}>
            <strong>{id}</strong>
          </a>{" "}
          <Badges source={source} />
          <p class="small muted">{[address, ...select].join(" · ")}</p>
          <p class="small">{describeReadings(source, ask.now)}</p>
        </div>
        {isKnown && (
          <Form
            {...{ ask, act: "refresh", to: "/admin/sources", hidden: { source: id } }}
            {...{ id: `read-${id}`, submit: "Read now", tone: "plain", inline: true }}
          />
        )}
      </div>
      {isRunning && <ProgressLine progress={progress} label={`Progress of ${id}`} now={ask.now} />}
      <Fault source={source} />
    </li>
  );
}

function Badges({ source }: Pick<SourceProperties, "source">) {
  const { kind, isRunning, fault, lacksToken, pausedUntil, isFromFile, reader } = source;
  const badges: readonly (readonly [isShown: unknown, text: string, tone?: string])[] = [
    [true, kindNames[kind]],
    [isFromFile, "settings file"],
    [reader, "other node"],
    [isRunning, "reading", "good"],
    [pausedUntil && !isRunning, "paused", "warn"],
    [fault ?? lacksToken, "failed", "bad"],
  ];
  return (
    <>{badges.map(([isShown, text, tone = ""]) => isShown && <Badge tone={tone}>{text}</Badge>)}</>
  );
}

/** Describes the last and the next reading, such as `312 people, 48 repositories · read 1 hour ago · next in 5 hours`. */
function describeReadings(source: SourceStatus, now: Date): string {
  const { completedAt, nextAt, isRunning, hidden, suppressed, remaining, reader } = source;
  const isPlanned = nextAt !== undefined && !isRunning && new Date(nextAt) > now;
  return [
    completedAt === undefined ? !isRunning && "not read yet" : joinCounts(source),
    completedAt !== undefined && `read ${formatTimeDistance(new Date(completedAt), now)}`,
    isPlanned && `next ${formatTimeDistance(new Date(nextAt), now)}`,
    hidden > 0 && `${formatCount(hidden)} hidden`,
    suppressed > 0 && `${formatCount(suppressed)} forgotten`,
    remaining !== undefined && `${formatCounted(remaining, "request")} left`,
    reader !== undefined && `read by ${reader}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @returns for example `312 people, 48 repositories`. */
export function joinCounts(found: { people?: number; repositories?: number }): string {
  const { people = 0, repositories } = found;
  return [
    people > 0 && formatPeople(people),
    repositories !== undefined && formatCounted(repositories, "repository", "repositories"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Matches an error code of the operating system at the end of a fault. */
const codeForm = /: [A-Z][A-Z ]+\.$/;

/** Remedies by words that the fault contains. The first match counts. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/token|may not read/i, "Enter a new token. `docs/forges.md` lists the rights that it needs."],
  [/certificate|CERT|self.signed/i, "Name the certificate authority of the forge in `caFile`."],
  [
    /reached|ECONN|ENOTFOUND|EAI_AGAIN/,
    "Check that the server runs, and the network and proxy between.",
  ],
  [/limit|overloaded|answered (429|5\d\d)|maxHours/, "Roster continues automatically."],
];

function Fault({ source: { fault, lacksToken } }: Pick<SourceProperties, "source">) {
  if (lacksToken) return <p class="wrong">The token is missing. Enter it again under Change.</p>;
  if (fault === undefined) return undefined;
  const remedy = remedies.find(([words]) => words.test(fault))?.[1];
  return (
    <div class="free">
      <p class="wrong small" title={fault}>
        <Message text={toSentence(fault.replace(codeForm, "."))} />
      </p>
      <p class="small">
        <Message text={remedy ?? "Earlier data is kept. Roster tries again automatically."} />
      </p>
    </div>
  );
}

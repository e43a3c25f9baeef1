/** One page with every part of the design, for the picture in docs/design.md. It uses the parts and the style of the pages. */
import { formatCounted, formatDate } from "../../src/interfaces/web/look/format.ts";
import { Choice, Disclosure, Field } from "../../src/interfaces/web/look/forms.tsx";
import type { Children } from "../../src/interfaces/web/look/jsx-runtime.ts";
import { DataTable } from "../../src/interfaces/web/look/lists.tsx";
import {
  Badge,
  Callout,
  EmptyState,
  FactList,
  Figures,
  Panel,
  Popup,
} from "../../src/interfaces/web/look/parts.tsx";
import { ScoreBar, Share, Sparkline, Strength } from "../../src/interfaces/web/look/people.tsx";
import { PersonLine } from "../../src/interfaces/web/who/who-parts.tsx";

const names = new Map([
  ["ada-example", "Ada Example"],
  ["ben-sample", "Ben Sample"],
  ["cleo-probe", "Cleo Probe"],
]);
const months = [3, 8, 12, 9, 4, 6, 11, 14, 10, 7, 2, 5, 9, 13, 15, 11, 8, 6];

/** Renders the page. @param style the address of the style sheet. */
export function renderGallery(style: string): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Design</title>
        <link rel="stylesheet" href={style} />
      </head>
      <body>
        <main>
          <h1>A title says what the page is about</h1>
          <div class="with-side">
            <div class="stack-wide">
              <People />
              <Values />
              <States />
            </div>
            <div class="side">
              <Forms />
              <Colors />
            </div>
          </div>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

function People() {
  return (
    <Panel
      title="A person, a score, activity"
      actions={
        <>
          <button type="button" class="small-button">
            Primary action
          </button>
          <a class="button plain small-button" href="#other">
            Other action
          </a>
        </>
      }
    >
      <DataTable
        columns={[
          ["Person", ({ login }) => <PersonLine login={login} names={names} />],
          ["Activity", () => <Sparkline values={months} label="Commits by month" />],
          ["Go", ({ go }) => go ?? <span class="warn">no Go</span>],
          ["Score", ({ score }) => <strong>{score}</strong>, "number"],
        ]}
        rows={[
          { login: "ada-example", go: <Strength value={97} />, score: 91 },
          { login: "ben-sample", go: <Strength value={64} />, score: 50 },
          { login: "cleo-probe", go: undefined, score: 42 },
        ]}
      />
    </Panel>
  );
}

function Values() {
  return (
    <Panel title="Figures, shares, dates, counts">
      <Figures
        items={[
          ["91", "score of 100", "higher than 98 % of backend developers"],
          [formatCounted(3982, "commit"), "count, of 5,510 written"],
          ["26 a month", "in the last 12 months"],
        ]}
      />
      <FactList
        facts={[
          ["Last commit", formatDate("2026-10-20")],
          ["Experience", "11 years, since 2015"],
          ["Share of the code", <Share share={0.38} largest={1} />],
          ["Tech stack", <ScoreBar label="of 100" value={77} />],
        ]}
      />
    </Panel>
  );
}

function States() {
  return (
    <Panel title="States">
      <p>
        <Badge>neutral</Badge> <Badge tone="good">done</Badge> <Badge tone="warn">pending</Badge>{" "}
        <Badge tone="bad">failed</Badge>
      </p>
      <Callout tone="done">
        <p>Added Ada Example to Shortlist.</p>
      </Callout>
      <Callout tone="warn" title="Data ends 21 Aug 2026">
        <p>Later work may exist.</p>
      </Callout>
      <Callout tone="wrong" title="The source was not saved">
        <p>Address: enter an address that begins with https://.</p>
      </Callout>
      <EmptyState>
        No lists yet. Select people in a <a href="#search">search</a>, then add them to a list.
      </EmptyState>
    </Panel>
  );
}

function Forms() {
  const plans = ["team", "pro"].map((plan) => ({ value: plan, label: plan }));
  return (
    <Panel title="A form, a popup, a fold">
      <Field name="address" label="Web address" hint="Of a forge or a repository" value="" />
      <Choice name="plan" label="Plan" options={plans} value="team" />
      <div class="actions">
        <button type="button">Save</button>
        <button type="button" class="plain">
          Cancel
        </button>
        <button type="button" class="danger">
          Remove
        </button>
      </div>
      <div class="gallery-popup">
        <Popup label="Add to list" tone="plain" isOpen>
          <Field name="list" label="New list" value="Shortlist" />
        </Popup>
      </div>
      <Disclosure label="More settings">
        <p>Seldom needed parts are folded.</p>
      </Disclosure>
    </Panel>
  );
}

const colors: readonly (readonly [name: string, meaning: Children])[] = [
  ["--accent", "actions, links, strengths"],
  ["--good-ink", "done"],
  ["--warn-ink", "absent, pending, to check"],
  ["--bad-ink", "failed, dangerous"],
  ["--soft-ink", "second in rank"],
];

function Colors() {
  return (
    <Panel title="Colors with meaning">
      <ul class="plain-list">
        {colors.map(([name, meaning]) => (
          <li>
            <svg width="14" height="14" aria-hidden="true">
              <circle cx="7" cy="7" r="7" fill={`var(${name})`} />
            </svg>{" "}
            {meaning}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

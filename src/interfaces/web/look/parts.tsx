/** Parts that several pages share. */

import type { PageRequest } from "../page.ts";
import { formatCount, formatInstant, formatTimeDistance } from "./format.ts";
import type { Children } from "./jsx-runtime.ts";

/** Stands above every page that shows people, as long as the pool has invented ones. */
export function DemoNotice({ people }: { readonly people: number }) {
  return (
    <aside class="demo" aria-label="Demo">
      <p>
        Demo: {formatCount(people)} invented people. Your own take their place:{" "}
        <code class="whole">roster ingest git ~/mirrors</code>
      </p>
    </aside>
  );
}

interface CalloutProperties {
  readonly tone: "done" | "warn" | "wrong";
  readonly title?: Children;
  readonly role?: "alert" | "status";
  /** Gets the focus when the page opens. */
  readonly isFocused?: true;
  readonly children: Children;
}

/** A message that must not be overlooked. */
export function Callout({ tone, title, role, isFocused, children }: CalloutProperties) {
  const focus = isFocused && { tabindex: -1, autofocus: true };
  return (
    <div class={`notice ${tone}-notice`} role={role} {...focus}>
      {title && <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** Shows the notice that the previous action left. A secret is shown only here and only once. */
export function NoticeBox({ ask: { notice } }: { readonly ask: PageRequest }) {
  if (!notice) return undefined;
  const { text, secret } = notice;
  return (
    <Callout tone="done" role="status" isFocused>
      <p>{text}</p>
      {secret && <Copyable id="secret" label={secret.label} text={secret.text} />}
    </Callout>
  );
}

export function Copyable({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div class="copyable">
      <div class="copyable-head">
        <span class="label">{label}</span>
        <button type="button" class="needs-script" data-copy={id}>
          Copy<span class="unseen"> {label}</span>
        </button>
      </div>
      <pre id={id}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** An instant in UTC, and its distance from now. */
export function Instant({ at, now }: { readonly at: Date; readonly now: Date }) {
  return (
    <>
      <time datetime={at.toISOString()}>{formatInstant(at)}</time>{" "}
      <span class="muted">({formatTimeDistance(at, now)})</span>
    </>
  );
}

/** Only the distance from now, where space is short; the title has the instant. */
export function Ago({ at, now }: { readonly at: Date | string | undefined; readonly now: Date }) {
  if (!at) return <span class="muted">never</span>;
  const instant = new Date(at);
  return (
    <time datetime={instant.toISOString()} title={formatInstant(instant)}>
      {formatTimeDistance(instant, now)}
    </time>
  );
}

type Fact = readonly [label: string, value: Children];

export function FactList({ facts }: { readonly facts: readonly (Fact | undefined)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== undefined)
        .map(([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface PanelProperties {
  readonly title: Children;
  /** For links to the panel, and for parts of a page that are fetched again. */
  readonly id?: string;
  readonly children: Children;
}

/** A section with its heading, in a box. Other attributes are those of the section. */
export function Panel({ title, id, children, ...attributes }: PanelProperties) {
  const headingId = id && `${id}-title`;
  return (
    <section class="card" id={id} aria-labelledby={headingId} {...attributes}>
      <h2 id={headingId}>{title}</h2>
      {children}
    </section>
  );
}

/** Says that there is nothing yet, and how to add something. */
export function EmptyState({ children }: { readonly children: Children }) {
  return <p class="nothing">{children}</p>;
}

interface ListProperties {
  readonly class?: string;
  readonly items: readonly Children[];
}

export function List({ class: className, items }: ListProperties) {
  return (
    <ul class={className}>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

interface RowsProperties {
  /** Shown instead of a list without items. */
  readonly empty: Children;
  readonly children: readonly Children[];
}

export function Rows({ empty, children }: RowsProperties) {
  return children.length === 0 ? (
    <EmptyState>{empty}</EmptyState>
  ) : (
    <ul class="rows">{children}</ul>
  );
}

export function Badge({ tone, children }: { readonly tone?: string; readonly children: Children }) {
  return <span class={["badge", tone ?? ""]}>{children}</span>;
}

/** An e-mail address that may wrap after `@` and dots. */
export function EmailAddress({ email }: { readonly email: string }) {
  return (
    <>
      {email.split(/(?<=[@.])/).map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </>
  );
}

import type { PageRequest } from "../page.ts";
import { formatDate, formatInstant, formatTimeDistance } from "./format.ts";
import type { Children } from "./jsx-runtime.ts";

/** Says that the pool contains invented people. Shown to signed-in users at the top of every page. */
export function DemoNotice({ visitor }: Pick<PageRequest, "visitor">) {
  return (
    <aside class="demo" aria-label="Demo">
      <p>
        Demo data: everyone here is invented.{" "}
        {visitor?.account.administrator && <a href="/admin/sources">Add your own repositories</a>}
      </p>
    </aside>
  );
}

/** A message. If it `isFocused`, it gets the focus when the page opens. */
export function Callout(properties: {
  readonly tone: "done" | "warn" | "wrong";
  readonly title?: Children;
  readonly role?: "alert" | "status";
  readonly isFocused?: true;
  readonly children: Children;
}) {
  const { tone, title, role, isFocused, children } = properties;
  const focus = isFocused && { tabindex: -1, autofocus: true };
  return (
    <div class={`notice ${tone}-notice`} role={role} {...focus}>
      {title && <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** Shows the notice of the last action, unless the page shows it next to a person. */
export function NoticeBox({ ask: { notice } }: { readonly ask: PageRequest }) {
  if (!notice || notice.person !== undefined) return undefined;
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

export function Instant({ at, now }: { readonly at: Date; readonly now: Date }) {
  return (
    <>
      <time datetime={at.toISOString()} title={at.toISOString()}>
        {formatInstant(at)}
      </time>{" "}
      <span class="muted">({formatTimeDistance(at, now)})</span>
    </>
  );
}

/** Shows how long ago an instant was. The tooltip shows the instant. */
export function Ago({ at, now }: { readonly at: Date | string | undefined; readonly now: Date }) {
  if (!at) return <span class="muted">never</span>;
  const instant = new Date(at);
  return (
    <time datetime={instant.toISOString()} title={formatInstant(instant)}>
      {formatTimeDistance(instant, now)}
    </time>
  );
}

const instantForm = /(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?)/;

/** Renders a message of Roster. Text between backticks becomes code, and ISO days and instants are formatted for people. */
export function Message({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/)
        .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : <WithInstants text={part} />))}
    </>
  );
}

/** Formats the days and instants in a text. A tooltip shows the original text. */
function WithInstants({ text }: { readonly text: string }) {
  const parts = text.replace(/\bat (?=\d{4}-\d{2}-\d{2}T)/g, "on ").split(instantForm);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 || Number.isNaN(Date.parse(part)) ? (
          part
        ) : (
          <time datetime={part} title={part}>
            {part.includes("T") ? formatInstant(new Date(part)) : formatDate(part)}
          </time>
        ),
      )}
    </>
  );
}

type Fact = readonly [label: string, value: Children] | false | "" | undefined;

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Figure = readonly [value: Children, label: Children, note?: Children];

export function Figures({ id, items }: { id?: string; items: readonly Figure[] }) {
  return (
    <dl class="figures" id={id}>
      {items.map(([value, label, note]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note && <dd class="small muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface PopupProperties {
  readonly label: Children;
  /** What follows the label for screen readers, such as the name of the person. */
  readonly unseen?: string;
  readonly tone?: "plain" | undefined;
  readonly class?: string;
  readonly isOpen?: boolean | undefined;
  readonly children: Children;
}

/** A button that opens a box over the page. A click elsewhere and Escape close it. */
export function Popup({ label, unseen, tone, class: name, isOpen, children }: PopupProperties) {
  return (
    <details class={["popup", name ?? ""]} open={isOpen}>
      <summary class={["button small-button", tone ?? ""]}>
        {label}
        {unseen && <span class="unseen"> {unseen}</span>}
      </summary>
      <div class="popup-body">{children}</div>
    </details>
  );
}

interface PanelProperties {
  readonly title: Children;
  readonly actions?: Children;
  readonly hint?: Children;
  /** Id of the panel. A panel needs an id if pages link to it or if htmx replaces it. */
  readonly id?: string;
  readonly children: Children;
}

/** A section with a heading, in a box. Other attributes go to the section element. */
export function Panel({ title, actions, hint, id, children, ...attributes }: PanelProperties) {
  const headingId = id && `${id}-title`;
  const heading = <h2 id={headingId}>{title}</h2>;
  return (
    <section class="card" id={id} aria-labelledby={headingId} {...attributes}>
      {actions || hint ? (
        <div class="panel-head">
          {heading}
          {hint && <p class="hint">{hint}</p>}
          {actions && <div class="actions">{actions}</div>}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}

/** A part that is folded up under its label. With a heading as label, it is open in print. */
export function Fold(properties: { label: Children; isOpen?: boolean; children: Children }) {
  const { label, isOpen, children } = properties;
  return (
    <details class="folded" open={isOpen}>
      <summary>{label}</summary>
      <div class="folded-body">{children}</div>
    </details>
  );
}

export function FoldedPanel(properties: PanelProperties & { id: string; isOpen?: boolean }) {
  const { title, id, ...fold } = properties;
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <Fold label={<h2 id={`${id}-title`}>{title}</h2>} {...fold} />
    </section>
  );
}

/** A link that looks like a button, for what is not the main action of a page. Other attributes go to the link. */
export function ButtonLink(properties: {
  to: string;
  label: string;
  unseen?: string;
  id?: string;
}) {
  const { to, label, unseen, ...attributes } = properties;
  return (
    <a class="button plain small-button" href={to} {...attributes}>
      {label}
      {unseen && <span class="unseen">{unseen}</span>}
    </a>
  );
}

/** Says that there is nothing to show and, if possible, how to change that. */
export const EmptyState = ({ children }: { readonly children: Children }) => (
  <p class="nothing">{children}</p>
);

export function List(properties: { readonly class?: string; readonly items: readonly Children[] }) {
  const { class: className, items } = properties;
  return (
    <ul class={className}>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

export function Rows({ empty, children }: { empty: Children; children: readonly Children[] }) {
  if (children.length === 0) return <EmptyState>{empty}</EmptyState>;
  return <ul class="rows">{children}</ul>;
}

export function Badge({ tone, children }: { readonly tone?: string; readonly children: Children }) {
  return <span class={["badge", tone ?? ""]}>{children}</span>;
}

export const EmailAddress = ({ email }: { readonly email: string }) => (
  <Wrapping parts={email.split(/(?<=[@.])/)} />
);

export const FilePath = ({ path }: { readonly path: string }) => (
  <Wrapping parts={path.split(/(?<=\/)/)} />
);

function Wrapping({ parts }: { readonly parts: readonly string[] }) {
  return (
    <>
      {parts.map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </>
  );
}

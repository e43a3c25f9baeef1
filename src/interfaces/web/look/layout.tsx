import type { PageRequest, View } from "../page.ts";
import { assets } from "./assets.ts";
import { formatCount } from "./format.ts";
import { Form, Problems } from "./forms.tsx";
import type { Children } from "./jsx-runtime.ts";
import { ButtonLink, DemoNotice, EmailAddress, NoticeBox } from "./parts.tsx";

/**
 * Renders the document around every page: skip link, header and the page itself.
 * @param demoPeople the number of invented people in the pool; 0 for guests.
 */
export function renderDocument(view: View, ask: PageRequest, demoPeople: number): string {
  const { title, moves, picks } = view;
  const heading = ask.refused ? `Error: ${title}` : title;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === "Roster" ? heading : `${heading} - Roster`}</title>
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        {moves && <meta name="htmx-config" content={htmxConfig} />}
        {moves && <script src={assets.htmx} defer />}
        <script src={assets.script} defer />
        {ask.visitor && <script src={assets.complete} defer />}
        {picks && <script src={assets.tray} defer />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        <PageHeader ask={ask} />
        <SectionTabs ask={ask} />
        {demoPeople > 0 && <DemoNotice visitor={ask.visitor} />}
        <main id="main" tabindex={-1}>
          <PageBody view={view} ask={ask} />
        </main>
        <footer>
          <p>Roster runs on your own machine and contacts only services that you name.</p>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

function PageBody({ view, ask }: { readonly view: View; readonly ask: PageRequest }) {
  const { title, heading = <h1>{title}</h1>, actions, back, frame, body } = view;
  if (frame === "bare") return body;
  const content = (
    <>
      {actions ? (
        <div class="heading">
          {heading}
          <div class="actions">{actions}</div>
        </div>
      ) : (
        heading
      )}
      {back && (
        <p>
          <a href={back.to}>{back.label}</a>
        </p>
      )}
      <Problems ask={ask} />
      <NoticeBox ask={ask} />
      {body}
    </>
  );
  return frame === "narrow" ? <div class="narrow">{content}</div> : content;
}

/** Settings of htmx. They stop htmx from injecting a style sheet, because the content security policy forbids that. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false });

type HeaderProperties = { readonly ask: PageRequest };

/**
 * The row at the top of every page: links to tasks, a search for people by name, and a menu. On narrow screens the links to tasks
 * are in the menu.
 */
export function PageHeader({ ask }: HeaderProperties) {
  return (
    <header class={["top", ask.visitor ? "" : "guest"]}>
      <a class="mark" href="/" aria-label="Roster, start page">
        <svg viewBox="0 0 16 16" aria-hidden="true" class="logo">
          <rect x="1" y="2" width="14" height="3" rx="1" />
          <rect x="1" y="6.5" width="10" height="3" rx="1" />
          <rect x="1" y="11" width="6" height="3" rx="1" />
        </svg>
        <span>Roster</span>
      </a>
      {ask.visitor ? <SignedIn ask={ask} email={ask.visitor.account.email} /> : <Guest ask={ask} />}
    </header>
  );
}

function Guest({ ask: { url } }: HeaderProperties) {
  return (
    <>
      <nav class="places" aria-label="Main">
        <ul>
          <Entry to="/docs" url={url}>
            API
          </Entry>
        </ul>
      </nav>
      {url.pathname !== "/sign-in" && <ButtonLink to="/sign-in" label="Sign in" />}
    </>
  );
}

function SignedIn({ ask, email }: HeaderProperties & { readonly email: string }) {
  const { url } = ask;
  return (
    <>
      <nav class="places tasks" aria-label="Main">
        <ul>
          <Tasks ask={ask} />
        </ul>
      </nav>
      <search class="find">
        <form method="get" action="/find" class="completed">
          <input
            id="find-person"
            name="text"
            type="search"
            placeholder="Find a person"
            aria-label="Find a person by name, login or e-mail"
            autocomplete="off"
            spellcheck="false"
            aria-keyshortcuts="/"
            title="Press / to type here"
            maxlength={200}
            required
            data-completes="people"
          />
        </form>
      </search>
      <details class="menu popup">
        <summary class="button plain" aria-label={`Menu: ${email}`}>
          <span class="who-name">{email}</span>
          <span class="menu-word">Menu</span>
        </summary>
        <nav class="popup-body" aria-label="Menu">
          <ul class="menu-tasks">
            <Tasks ask={ask} />
          </ul>
          <p class="menu-email small muted">
            <EmailAddress email={email} />
          </p>
          <ul>
            {listSections(ask).map(({ label, tabs: [first] }) => (
              <Entry to={first.to} url={url}>
                {label}
              </Entry>
            ))}
            <Entry to="/docs" url={url}>
              API
            </Entry>
          </ul>
          <Form ask={ask} act="sign-out" submit="Sign out" tone="quiet" to="/sign-out" />
        </nav>
      </details>
    </>
  );
}

function Tasks({ ask }: HeaderProperties) {
  return (
    <>
      {tasks.map(({ to, label, note }) => {
        const about = note?.(ask) ?? "";
        return (
          <Entry to={to} url={ask.url}>
            {about === "" ? label : `${label} (${about})`}
          </Entry>
        );
      })}
    </>
  );
}

function Entry({ to, url, children }: { to: string; url: URL; children: Children }) {
  return (
    <li>
      <a href={to} aria-current={findCurrent(to, url)}>
        {children}
      </a>
    </li>
  );
}

/** The second row on the pages of a section: the name and the tabs of the section. */
export function SectionTabs({ ask }: HeaderProperties) {
  const { url } = ask;
  const section = listSections(ask).find(({ tabs: [first] }) => findCurrent(first.to, url));
  if (!section) return undefined;
  // The first tab is above all pages of the section, but is current only on its own page.
  const [first] = section.tabs;
  const isCurrent = (to: string) => to !== first.to || url.pathname === to;
  return (
    <nav class="tabs" aria-label={section.label}>
      <p class="tabs-title wide">{section.label}</p>
      <ul>
        {section.tabs.map(({ to, label }) => (
          <li>
            <a href={to} aria-current={isCurrent(to) ? findCurrent(to, url) : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface Destination {
  readonly to: string;
  readonly label: string;
  /** Returns a short note that follows the label, such as a count. An empty text means no note. */
  readonly note?: (ask: PageRequest) => string;
}

const tasks: readonly Destination[] = [
  { to: "/", label: "Search" },
  { to: "/who", label: "Who knows" },
  {
    ...{ to: "/compare", label: "Compare" },
    note: ({ calls, visitor }) =>
      String((visitor && calls.compared(visitor.account.id).length) || ""),
  },
  {
    to: "/saved",
    label: "Saved",
    note: ({ newPeople }) => (newPeople > 0 ? `${formatCount(newPeople)} new` : ""),
  },
];

interface Section {
  readonly label: string;
  /** The tabs of the section, in this order. The menu links to the first tab. All pages of the section are below it. */
  readonly tabs: readonly [Destination, ...Destination[]];
}

const ownAccount: Section = {
  label: "My account",
  tabs: [
    { to: "/account", label: "Usage" },
    { to: "/account/api", label: "API key" },
    { to: "/account/assistants", label: "Assistants" },
    { to: "/account/security", label: "Security" },
  ],
};

const administration: Section = {
  label: "Administration",
  tabs: [
    { to: "/admin", label: "Overview" },
    { to: "/admin/runs", label: "Runs" },
    { to: "/admin/identity", label: "Identities" },
    { to: "/admin/accounts", label: "Accounts" },
    { to: "/admin/usage", label: "Usage" },
    { to: "/admin/sources", label: "Sources" },
    { to: "/admin/webhooks", label: "Webhooks" },
    { to: "/admin/model", label: "Model" },
    { to: "/admin/settings", label: "Settings" },
    { to: "/admin/audit", label: "Audit log" },
  ],
};

function listSections({ visitor }: Pick<PageRequest, "visitor">): readonly Section[] {
  if (!visitor) return [];
  return visitor.account.administrator ? [ownAccount, administration] : [ownAccount];
}

/** Finds the value of `aria-current` for a link: `page` on the page itself, `true` on a page below it. */
function findCurrent(to: string, { pathname }: URL): "page" | "true" | undefined {
  if (pathname === to) return "page";
  return to !== "/" && pathname.startsWith(`${to}/`) ? "true" : undefined;
}

import type { PageRequest, View } from "../page.ts";
import { assets } from "./assets.ts";

/** Renders the document around every page: skip link, navigation, signed-in user and the page itself. */
export function renderDocument({ title, body, moves }: View, ask: PageRequest): string {
  const heading = ask.refused ? `Not done: ${title}` : title;
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
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        <Header ask={ask} />
        <main id="main" tabindex={-1}>
          {body}
        </main>
        <footer>
          <p>Roster runs on your own machine and calls nobody whom you have not named.</p>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

/** The content security policy allows only our own style sheet, so htmx must not inject one. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false });

function Header({ ask }: { readonly ask: PageRequest }) {
  const { visitor, url } = ask;
  return (
    <header class={["top", visitor ? "" : "guest"]}>
      <a class="mark" href="/" aria-label="Roster, start page">
        <svg viewBox="0 0 16 16" aria-hidden="true" class="logo">
          <rect x="1" y="2" width="14" height="3" rx="1" />
          <rect x="1" y="6.5" width="10" height="3" rx="1" />
          <rect x="1" y="11" width="6" height="3" rx="1" />
        </svg>
        <span>Roster</span>
      </a>
      <nav class="places" aria-label="Main">
        <ul>
          {visitor && <NavLink to="/account" label="Account" here={url.pathname} />}
          {visitor?.account.administrator && (
            <NavLink to="/admin/accounts" label="Accounts" here={url.pathname} />
          )}
          {visitor?.account.administrator && (
            <NavLink to="/admin/audit" label="Audit" here={url.pathname} />
          )}
          {visitor?.account.administrator && (
            <NavLink to="/admin/sources" label="Sources" here={url.pathname} />
          )}
          <NavLink to="/docs" label="API" here={url.pathname} />
        </ul>
      </nav>
      {visitor ? (
        <div class="who">
          <span class="who-name" title={visitor.account.email}>
            {visitor.account.email}
          </span>
          <form method="post" action="/sign-out">
            <input type="hidden" name="token" value={ask.token} />
            <input type="hidden" name="act" value="sign-out" />
            <button type="submit" class="quiet">
              Sign out
            </button>
          </form>
        </div>
      ) : (
        <div class="who">
          {url.pathname !== "/sign-in" && (
            <a class="button" href="/sign-in">
              Sign in
            </a>
          )}
        </div>
      )}
    </header>
  );
}

interface NavLinkProperties {
  readonly to: string;
  readonly label: string;
  readonly here: string;
}

function NavLink({ to, label, here }: NavLinkProperties) {
  const isHere = here === to || here.startsWith(`${to}/`);
  return (
    <li>
      <a href={to} aria-current={isHere ? (here === to ? "page" : "true") : undefined}>
        {label}
      </a>
    </li>
  );
}

/** The tabs above the pages of an account. */
export function AccountHead({ ask: { url } }: { readonly ask: PageRequest }) {
  return (
    <nav class="tabs" aria-label="Account">
      <ul>
        {tabs.map(({ to, label }) => (
          <li>
            <a href={to} aria-current={to === url.pathname ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const tabs = [
  { to: "/account", label: "Usage" },
  { to: "/account/api", label: "API" },
  { to: "/account/assistants", label: "Assistants" },
  { to: "/account/security", label: "Security" },
];

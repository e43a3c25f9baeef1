import type { PageRequest, View } from "../page.ts";
import { assets } from "./assets.ts";
import { Problems } from "./forms.tsx";
import { PageHeader, SectionTabs } from "./header.tsx";
import { DemoNotice, NoticeBox } from "./parts.tsx";

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

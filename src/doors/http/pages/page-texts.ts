/** The two pages that need no account, with what is theirs. */
export const homePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Roster</title>
    <link rel="stylesheet" href="/home.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main>
      <h1>Roster</h1>
      <p>A self-hosted appliance that finds, scores and explains software developers.</p>
      <ul>
        <li><a href="/docs">The API, to read and to try</a></li>
        <li><a href="/v1/openapi.json">The API as an OpenAPI 3.1 document</a></li>
        <li><a href="/readyz">Whether this Roster can serve calls now</a></li>
      </ul>
    </main>
  </body>
</html>
`;

/** System fonts and colours, so that it follows the reader's dark or light scheme by itself. */
export const homeStyle = `body {
  margin: 0;
  font: 1.125rem/1.6 system-ui, sans-serif;
}
main {
  max-width: 38rem;
  margin: 0 auto;
  padding: 12vh 1.5rem;
}
h1 {
  margin: 0;
  font-size: 2.5rem;
  line-height: 1.2;
}
ul {
  padding-left: 1.2rem;
}
a:focus-visible {
  outline: 3px solid;
  outline-offset: 3px;
}
`;

export const docsPage = (assets: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roster API</title>
    <link rel="stylesheet" href="${assets}/style.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main id="api">
      <noscript>The document itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    </main>
    <script src="${assets}/bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`;

/** A file of its own: the pages' policy lets no inline script run. No validator: it would go online. */
export const startScript = `const wantsDark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", wantsDark.matches);
wantsDark.addEventListener("change", follow);
follow();
window.SwaggerUIBundle({
  url: "/v1/openapi.json",
  domNode: document.getElementById("api"),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

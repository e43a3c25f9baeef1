/** The page of the API's documentation. */
export const renderDocsPage = (assets: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Roster API</title>
    <link rel="stylesheet" href="${assets}/style.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <nav class="swagger-ui" aria-label="Roster">
      <p class="wrapper"><a class="link" href="/">Roster</a>, <a class="link" href="/account/api">your API key</a></p>
    </nav>
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

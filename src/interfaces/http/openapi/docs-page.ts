/**
 * Serves the API documentation with Swagger UI. All files are embedded, so it works offline, and its content security
 * policy allows nothing else. File names contain the version of Swagger UI, so browsers may cache them forever.
 */

import { version } from "swagger-ui-dist/package.json";
import stylePath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { createFileAnswer } from "../../../network/compression.ts";
import type { Route } from "../../../network/route.ts";

const assets = `docs/swagger-ui-${version}`;

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

const policy = { "content-security-policy": pagePolicy };
const immutable = { ...policy, "cache-control": "public, max-age=31536000, immutable" };

export const docsRoutes: readonly Route[] = [
  route("/docs", html, () => docsPage, policy),
  route(`/${assets}/start.js`, script, () => startScript, immutable),
  route(`/${assets}/bundle.js`, script, () => Bun.file(bundlePath), immutable),
  route(`/${assets}/style.css`, style, () => Bun.file(stylePath), immutable),
];

function route(
  path: string,
  type: string,
  body: () => string | Blob,
  headers: Readonly<Record<string, string>>,
): Route {
  const handle = createFileAnswer(body, { ...headers, "content-type": type });
  return { path, methods: ["GET"], handle };
}

/** Addresses are relative, because the base path cannot be added to a compressed page. */
const docsPage = `<!doctype html>
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
      <p class="wrapper"><a class="link" href="./">Back to Roster</a> <a class="link" href="account/api">API key</a></p>
    </nav>
    <div id="api">
      <noscript>The document itself is at <a href="v1/openapi.json">/v1/openapi.json</a>.</noscript>
    </div>
    <script src="${assets}/bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`;

/**
 * A separate file, because the policy allows no inline script. The validator is off, because it would go online. The list of
 * servers gets a label, which Swagger UI leaves out.
 */
const startScript = `const wantsDark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", wantsDark.matches);
wantsDark.addEventListener("change", follow);
follow();
window.SwaggerUIBundle({
  url: "v1/openapi.json",
  domNode: document.getElementById("api"),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  onComplete: () => document.getElementById("servers")?.setAttribute("aria-label", "Server"),
});
`;

/**
 * The API's documentation, to read and to try. All files are embedded: it works without a network, and a strict
 * policy lets nothing else run. Names of the interface's files carry its version, so browsers may keep
 * them for ever.
 */
import { version } from "swagger-ui-dist/package.json";
import stylePath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { type App, refuseOtherMethods } from "../app.ts";
import { renderDocsPage, startScript } from "./page-texts.ts";

const assets = `/docs/swagger-ui-${version}`;

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

export function mountPages(app: App): void {
  mount(app, "/docs", html, () => renderDocsPage(assets));
  mount(app, `${assets}/start.js`, script, () => startScript);
  mount(app, `${assets}/bundle.js`, script, () => Bun.file(bundlePath));
  mount(app, `${assets}/style.css`, style, () => Bun.file(stylePath));
}

function mount(app: App, path: string, type: string, body: () => string | Blob): void {
  app.get(path, ({ set }) => {
    set.headers["content-security-policy"] = pagePolicy;
    if (path.startsWith(assets)) {
      set.headers["cache-control"] = "public, max-age=31536000, immutable";
    }
    return new Response(body(), { headers: { "content-type": type } });
  });
  refuseOtherMethods(app, path, "GET");
}

/**
 * The files that pages load: a style sheet, small scripts, htmx and an icon. All are embedded in the program. The URL of a file
 * changes with its content, so browsers may cache the files forever.
 */
import htmxPath from "htmx.org/dist/htmx.min.js" with { type: "file" };
import { version as htmxVersion } from "htmx.org/package.json";
import icon from "../../../../seed/icon.svg" with { type: "text" };
import { createFileAnswer } from "../../../network/compression.ts";
import type { Route } from "../../../network/route.ts";
import completeScript from "./complete.js" with { type: "text" };
import script from "./page.js" with { type: "text" };
import adminStyle from "./style/admin.css" with { type: "text" };
import developerStyle from "./style/developer.css" with { type: "text" };
import docsStyle from "./style/docs.css" with { type: "text" };
import firstStyle from "./style/first.css" with { type: "text" };
import formsStyle from "./style/forms.css" with { type: "text" };
import frameStyle from "./style/frame.css" with { type: "text" };
import listsStyle from "./style/lists.css" with { type: "text" };
import partsStyle from "./style/parts.css" with { type: "text" };
import printStyle from "./style/print.css" with { type: "text" };
import searchStyle from "./style/search.css" with { type: "text" };
import textStyle from "./style/text.css" with { type: "text" };
import whoStyle from "./style/who.css" with { type: "text" };
import trayScript from "./tray.js" with { type: "text" };

/** The style sheet, made of these files. The order matters: later rules override earlier ones. */
const style = [
  ...[textStyle, frameStyle, formsStyle, partsStyle, adminStyle, searchStyle],
  ...[developerStyle, listsStyle, whoStyle, firstStyle, docsStyle, printStyle],
].join("\n");

const digestOf = (content: string) => Bun.hash(content).toString(36);

export const assets = {
  style: `/assets/style-${digestOf(style)}.css`,
  script: `/assets/page-${digestOf(script)}.js`,
  complete: `/assets/complete-${digestOf(completeScript)}.js`,
  tray: `/assets/tray-${digestOf(trayScript)}.js`,
  icon: `/assets/icon-${digestOf(icon)}.svg`,
  htmx: `/assets/htmx-${htmxVersion}.js`,
} as const;

export const assetRoutes: readonly Route[] = [
  route(assets.style, "text/css; charset=utf-8", () => style),
  route(assets.script, "text/javascript; charset=utf-8", () => script),
  route(assets.complete, "text/javascript; charset=utf-8", () => completeScript),
  route(assets.tray, "text/javascript; charset=utf-8", () => trayScript),
  route(assets.icon, "image/svg+xml", () => icon),
  route(assets.htmx, "text/javascript; charset=utf-8", () => Bun.file(htmxPath)),
];

function route(path: string, type: string, content: () => string | Blob): Route {
  const headers = { "content-type": type, "cache-control": "public, max-age=31536000, immutable" };
  return { path, methods: ["GET"], handle: createFileAnswer(content, headers) };
}

/**
 * The files that pages name: one style, one small script, htmx, an icon. All embedded; the address of each changes
 * with its content, so browsers may keep them for ever.
 */
import htmxPath from "htmx.org/dist/htmx.min.js" with { type: "file" };
import { version as htmxVersion } from "htmx.org/package.json";
import icon from "../../../../seed/icon.svg" with { type: "text" };
import script from "./page.js" with { type: "text" };
import style from "./style.css" with { type: "text" };

const digestOf = (content: string) => Bun.hash(content).toString(36);

export const assets = {
  style: `/assets/style-${digestOf(style)}.css`,
  script: `/assets/page-${digestOf(script)}.js`,
  icon: `/assets/icon-${digestOf(icon)}.svg`,
  htmx: `/assets/htmx-${htmxVersion}.js`,
} as const;

const files = new Map<string, { readonly type: string; readonly content: () => string | Blob }>([
  [assets.style, { type: "text/css; charset=utf-8", content: () => style }],
  [assets.script, { type: "text/javascript; charset=utf-8", content: () => script }],
  [assets.icon, { type: "image/svg+xml", content: () => icon }],
  [assets.htmx, { type: "text/javascript; charset=utf-8", content: () => Bun.file(htmxPath) }],
]);

/** The file at this path, if there is one. */
export function findAsset(path: string): Response | undefined {
  const file = files.get(path);
  if (!file) return undefined;
  const headers = {
    "content-type": file.type,
    "cache-control": "public, max-age=31536000, immutable",
  };
  return new Response(file.content(), { headers });
}

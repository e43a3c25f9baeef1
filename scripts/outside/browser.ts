/** A person at a browser, without the browser: keeps cookies and reads the forms on pages. */

export interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly forms: readonly Form[];
}

export interface Browser {
  readonly origin: string;
  readonly jar: Map<string, string>;
  /** Follows no redirect. */
  ask(path: string, init?: RequestInit): Promise<Page>;
}

export function openBrowser(origin: string): Browser {
  const jar = new Map<string, string>();
  return {
    origin,
    jar,
    ask: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("cookie")) headers.set("cookie", cookiesOf(jar));
      const url = new URL(path, origin);
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = line.slice(0, line.indexOf(";")).split("=", 2);
        if (/Max-Age=0/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      const { status, headers: got } = response;
      const text = await response.text();
      const isPage = got.get("content-type")?.startsWith("text/html") ?? false;
      return { status, headers: got, text, ...(isPage ? read(text) : nothing) };
    },
  };
}

const cookiesOf = (jar: ReadonlyMap<string, string>) =>
  [...jar].map((pair) => pair.join("=")).join("; ");

const nothing = { forms: [] };

function read(html: string): Pick<Page, "forms"> {
  const forms: { action: string; method: string; fields: Field[] }[] = [];
  const add = (element: HTMLRewriterTypes.Element) => {
    const name = element.getAttribute("name");
    if (name === null) return;
    const value = unescaped(element.getAttribute("value") ?? "");
    forms.at(-1)?.fields.push({ name, value });
  };
  new HTMLRewriter()
    .on("form", {
      element: (element) => {
        const action = unescaped(element.getAttribute("action") ?? "");
        forms.push({ action, method: element.getAttribute("method") ?? "get", fields: [] });
      },
    })
    .on("input, select, textarea, button", { element: add })
    .transform(html);
  return { forms };
}

/** The HTML rewriter returns attributes as they stand in the source, with entities. */
function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

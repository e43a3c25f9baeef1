/**
 * JSX on the server, over @kitajs/html. That library writes children as they are unless each element asks for
 * `safe`; forgetting it once is a hole. Here it is the other way round: an element is an `Html` object, whatever
 * else stands between tags or in an attribute is text and is escaped. There is no way to write raw markup.
 */
import { escapeHtml } from "@kitajs/html";
import { jsx as kita, Fragment as kitaFragment } from "@kitajs/html/jsx-runtime";

/** Markup that was made here, so every text in it is escaped. */
export class Html {
  readonly #markup: string;
  /** @package */
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}

/** What may stand between tags; `undefined`, `null` and booleans show nothing. */
export type Children = Html | string | number | boolean | null | undefined | readonly Children[];

type Properties = Readonly<Record<string, unknown>> & { readonly children?: Children };
/** `undefined` shows nothing. */
type Component = (properties: Properties) => Html | undefined;

/** What the compiler turns `<name attribute={value}>children</name>` into. */
export function jsx(name: string | Component, { children, ...attributes }: Properties): Html {
  if (typeof name === "function") {
    return name(children === undefined ? attributes : { ...attributes, children }) ?? new Html("");
  }
  const escaped: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(attributes)) {
    escaped[attribute] = attributeOf(value);
  }
  const content = children === undefined ? {} : { children: markupOf(children) };
  return new Html(kita(name, { ...escaped, ...content }) as string);
}

export const jsxs = jsx;
/** What Bun's bundler asks for, whatever tsconfig says. */
export const jsxDEV = jsx;

export function Fragment({ children }: { readonly children?: Children }): Html {
  return new Html(kitaFragment({ children: markupOf(children) }) as string);
}

function markupOf(children: Children): string {
  if (children === undefined || children === null || typeof children === "boolean") return "";
  if (children instanceof Html) return children.toString();
  if (typeof children === "object") return children.map(markupOf).join("");
  return escapeHtml(String(children));
}

/** A list is one of classes; switches and figures need no escaping. */
function attributeOf(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean" || typeof value === "number") return value;
  return escapeHtml(Array.isArray(value) ? value.filter(Boolean).join(" ") : String(value));
}

type Tags = globalThis.JSX.IntrinsicElements;
/** Raw markup and inline style are refused: the first by this file's promise, the second by the pages' policy. */
type RefusedAttribute = "children" | "safe" | "attrs" | "style" | "of";

export namespace JSX {
  export type Element = Html;
  export type ElementType = keyof Tags | ((properties: never) => Html | undefined);
  export type IntrinsicElements = {
    readonly [Tag in keyof Tags]: Omit<Tags[Tag], RefusedAttribute> & {
      readonly children?: Children;
      /** On anything that can take focus; the library knows it on boxes only. */
      readonly autofocus?: boolean;
    };
  };
  export interface ElementChildrenAttribute {
    readonly children: unknown;
  }
}

/**
 * JSX on the server. An element is an `Html` object. Anything else between tags or in an attribute is text and is escaped. Only
 * types and the list of void elements come from @kitajs/html, because its runtime does not escape all children.
 */
import { escapeHtml, isVoidElement } from "@kitajs/html";

/** Markup that this file created; all text in it is escaped. */
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

/** What may stand between tags. `undefined`, `null` and booleans render nothing. */
export type Children = Html | string | number | boolean | null | undefined | readonly Children[];

type Properties = Readonly<Record<string, unknown>> & { readonly children?: Children };
/** A component renders nothing if it returns `undefined`. */
type Component = (properties: Properties) => Html | undefined;

/** Renders an element. The compiler turns `<name attribute={value}>children</name>` into a call of this function. */
export function jsx(name: string | Component, properties: Properties): Html {
  if (typeof name === "function") return name(properties) ?? nothing;
  const { children } = properties;
  let markup = `<${name}`;
  // The properties are not copied, because copying took most of the time of rendering a page of results.
  for (const attribute in properties) {
    if (attribute !== "children") markup += renderAttribute(attribute, properties[attribute]);
  }
  if (children !== undefined) return new Html(`${markup}>${renderChildren(children)}</${name}>`);
  return new Html(isVoidElement(name) ? `${markup}/>` : `${markup}></${name}>`);
}

const nothing = new Html("");

export const jsxs = jsx;
/** Bun's bundler imports the function by this name, whatever tsconfig says. */
export const jsxDEV = jsx;

export function Fragment({ children }: { readonly children?: Children }): Html {
  return new Html(renderChildren(children));
}

function renderChildren(children: Children): string {
  if (typeof children === "string") return escapeHtml(children);
  if (children instanceof Html) return children.toString();
  if (typeof children === "number") return String(children);
  if (children === undefined || children === null || typeof children === "boolean") return "";
  let markup = "";
  for (const child of children) markup += renderChildren(child);
  return markup;
}

/**
 * Renders an attribute. A list becomes class names, `true` becomes the name alone, and `undefined`, `null` and `false` become
 * nothing.
 */
function renderAttribute(name: string, value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (value === true) return ` ${name}`;
  const text = Array.isArray(value) ? value.filter(Boolean).join(" ") : String(value);
  return ` ${name}="${escapeHtml(text)}"`;
}

type Tags = globalThis.JSX.IntrinsicElements;
/** Attributes of the library that no element of Roster may have. */
type RefusedAttribute = "children" | "safe" | "attrs" | "style" | "of";

export namespace JSX {
  export type Element = Html;
  export type ElementType = keyof Tags | ((properties: never) => Html | undefined);
  export type IntrinsicElements = {
    readonly [Tag in keyof Tags]: Omit<Tags[Tag], RefusedAttribute> & {
      readonly children?: Children;
      /** Any element that can take the focus may have this attribute. The library declares it only for form fields. */
      readonly autofocus?: boolean;
    };
  };
  export interface ElementChildrenAttribute {
    readonly children: unknown;
  }
}

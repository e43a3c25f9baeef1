/**
 * JSX on the server, over @kitajs/html. That library does not escape children unless an element has the attribute
 * `safe`, and forgetting it once makes an injection hole. Here an element is an `Html` object; anything else between
 * tags or in an attribute is text and is escaped. Raw markup cannot be written.
 */
import { escapeHtml } from "@kitajs/html";
import { jsx as kita, Fragment as kitaFragment } from "@kitajs/html/jsx-runtime";

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

/** Anything allowed between tags; `undefined`, `null` and booleans render nothing. */
export type Children = Html | string | number | boolean | null | undefined | readonly Children[];

type Properties = Readonly<Record<string, unknown>> & { readonly children?: Children };
/** Renders nothing if it returns `undefined`. */
type Component = (properties: Properties) => Html | undefined;

/** The compiler turns `<name attribute={value}>children</name>` into a call of this. */
export function jsx(name: string | Component, { children, ...attributes }: Properties): Html {
  if (typeof name === "function") {
    return name(children === undefined ? attributes : { ...attributes, children }) ?? new Html("");
  }
  const escaped = Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [attribute, escapeAttribute(value)]),
  );
  const content = children === undefined ? {} : { children: renderChildren(children) };
  return new Html(kita(name, { ...escaped, ...content }) as string);
}

export const jsxs = jsx;
/** Bun's bundler imports this one, whatever tsconfig says. */
export const jsxDEV = jsx;

export function Fragment({ children }: { readonly children?: Children }): Html {
  return new Html(kitaFragment({ children: renderChildren(children) }) as string);
}

function renderChildren(children: Children): string {
  if (children === undefined || children === null || typeof children === "boolean") return "";
  if (children instanceof Html) return children.toString();
  if (typeof children === "object") return children.map(renderChildren).join("");
  return escapeHtml(String(children));
}

/** A list holds class names; booleans and numbers need no escaping. */
function escapeAttribute(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean" || typeof value === "number") return value;
  return escapeHtml(Array.isArray(value) ? value.filter(Boolean).join(" ") : String(value));
}

type Tags = globalThis.JSX.IntrinsicElements;
/** Raw markup is ruled out by this file, inline style by the content security policy. */
type RefusedAttribute = "children" | "safe" | "attrs" | "style" | "of";

export namespace JSX {
  export type Element = Html;
  export type ElementType = keyof Tags | ((properties: never) => Html | undefined);
  export type IntrinsicElements = {
    readonly [Tag in keyof Tags]: Omit<Tags[Tag], RefusedAttribute> & {
      readonly children?: Children;
      /** For any element that can take focus; the library declares it for form fields only. */
      readonly autofocus?: boolean;
    };
  };
  export interface ElementChildrenAttribute {
    readonly children: unknown;
  }
}

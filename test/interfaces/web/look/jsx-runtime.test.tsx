/** No text becomes markup, wherever it stands: the promise that every page rests on. */
import { describe, expect, test } from "bun:test";
import { jsx as kita } from "@kitajs/html/jsx-runtime";
import fc from "fast-check";
import { type Children, Html, jsx } from "../../../../src/interfaces/web/look/jsx-runtime.ts";

const Twice = ({ children }: { readonly children: Children }) => (
  <>
    {children}
    {children}
  </>
);

describe("JSX", () => {
  test("escapes a list of classes", () => {
    expect(String(<p class={["a", '"><script>']} />)).toBe(
      '<p class="a &quot;&gt;&lt;script&gt;"></p>',
    );
  });

  test("writes elements as the library of their types does", () => {
    const field = { type: "checkbox", checked: true, disabled: false, value: undefined } as const;
    for (const [name, given, markup] of [
      [
        "input",
        { ...field, maxlength: 3, "data-x": null },
        '<input type="checkbox" checked maxlength="3"/>',
      ],
      ["p", { class: "", title: "a" }, '<p class="" title="a"></p>'],
      ["p", { children: undefined }, "<p></p>"],
      ["td", { children: ["a", 1, [false, "b"]], id: "c" }, '<td id="c">a1b</td>'],
    ] as const) {
      expect(String(jsx(name, given))).toBe(markup);
      const flat = "children" in given ? { ...given, children: given.children?.flat() } : given;
      expect(String(kita(name, flat as object))).toBe(markup);
    }
  });

  test("what was escaped once is not escaped again, and nothing shows nothing", () => {
    const inner = <b>{"<"}</b>;
    expect(inner).toBeInstanceOf(Html);
    expect(String(<p>{inner}</p>)).toBe("<p><b>&lt;</b></p>");
    expect(String(<p>{[undefined, null, false, true, 0]}</p>)).toBe("<p>0</p>");
    const Absent = () => undefined;
    expect(String(<Absent />)).toBe("");
  });

  test("any text in attributes, lists, fragments and components comes out of a browser's parser as it went in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const markup = String(
          <p title={text} data-any={text}>
            <Twice>{text}</Twice>
            {[text, [text]]}
          </p>,
        );
        const read: string[] = [];
        new HTMLRewriter()
          .on("p", {
            element: (element) => {
              for (const [, value] of element.attributes) read.push(decoded(value ?? ""));
            },
            text: (chunk) => {
              read.push(decoded(chunk.text));
            },
          })
          .transform(markup);
        expect(read.join("")).toBe(text.repeat(6));
      }),
    );
  });

  test("an object that pretends to be markup is text", () => {
    const pretender = { toString: () => "<script>" } as unknown as string;
    expect(() => String(<p>{pretender}</p>)).toThrow();
    expect(String(<p title={pretender} />)).not.toContain("<script>");
  });
});

/** The rewriter hands texts out as they are written. */
const decoded = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

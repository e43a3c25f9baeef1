import { describe, expect, test } from "bun:test";
import { describeUnknown, findNearest, findViolation } from "../../src/contract/complaint.ts";
import { addRule, Type } from "../../src/contract/schema.ts";

const Form = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: 9 }),
    share: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    texts: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 })),
    day: Type.Optional(addRule("a day", Type.String({ pattern: "^\\d{4}$" }))),
    months: Type.Optional(
      addRule(
        "month",
        Type.Record(Type.String({ pattern: "^\\d\\d$" }), Type.Number(), {
          additionalProperties: false,
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

describe("a violation in words", () => {
  test.each([
    [{ count: 10 }, "count", "must be a whole number from 1 to 9, got 10"],
    [{ count: 1, share: 0 }, "share", "must be a number above 0 to 1, got 0"],
    [{ count: 1, texts: {} }, "texts", "must be a list of at most 2 texts, got an object"],
    [{ count: 1, texts: ["long"] }, "texts[0]", 'must be a text of 1 to 3 characters, got "long"'],
    [{ count: 1, day: null }, "day", "must be a day, got null"],
    [{ count: 1, months: { "1x": 2 } }, "months.1x", "is no month"],
    [{ count: 1, months: [] }, "months", "must be an object, got a list of 0"],
    [{ count: 1, "a/b": 0 }, "a/b", expect.stringContaining("is unknown; known are count, ")],
  ])("%j", (value, field, reason) => {
    expect(findViolation(Form, value)).toMatchObject({ field, reason });
  });

  test("none of what fits", () => {
    expect(findViolation(Form, { count: 1, texts: ["abc"], months: { "01": 2 } })).toBeUndefined();
  });
});

test("what is unknown is named with what was probably meant, or with what helps otherwise", () => {
  const known = ["port", "host"];
  expect(describeUnknown("setting", "prot", findNearest("prot", known))).toBe(
    'unknown setting "prot"; did you mean "port"?',
  );
  expect(describeUnknown("setting", "x", undefined)).toBe('unknown setting "x"');
  expect(describeUnknown("field", "x", undefined, "known fields: a")).toBe(
    'unknown field "x"; known fields: a',
  );
});

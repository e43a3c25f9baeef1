/** Values that have broken programs. */
import fc from "fast-check";
import type { Json } from "./values.ts";

/** Texts that have broken programs. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      " ",
      "\0",
      "\t",
      "\u0015",
      "\r\nX-Injected: 1",
      "\u001b[31m",
      "\ud800",
      "\udfff",
      "\ufeff",
    ],
    ...[
      "\u202e",
      "\u{e0041}",
      "\ufffd",
      "İ",
      "ß",
      "ﬃ",
      "e\u0301".repeat(80),
      "👩‍👩‍👧‍👦",
      "\u00a0",
      "\u3000",
    ],
    ...["__proto__", "constructor", "toString", "hasOwnProperty", "undefined", "null", "NaN", "-0"],
    ...[
      "../../../etc/passwd",
      "%00",
      "%ff",
      "%",
      "%2e%2e%2f",
      "\\",
      "\\u0000",
      "' OR 1=1 --",
      '";--',
    ],
    ...["*", "(((((", "[", "a*", '"', "NEAR(", "<b>", "{{7*7}}", "$(id)", "`id`"],
    ...["x".repeat(201), "y".repeat(5000), "🙂".repeat(200), " a".repeat(2000), "-".repeat(3000)],
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme-composite", maxLength: 100 }),
);

const oddNumbers = fc.constantFrom(
  ...[
    0,
    -0,
    -1,
    1,
    2,
    50,
    51,
    100,
    101,
    200,
    201,
    0.5,
    1e-7,
    1e21,
    1e308,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
  ],
  ...[-(2 ** 31) - 1, 5e-324, 1.0000000000000002, Number.MAX_VALUE],
);

export const oddValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], [null], { "": null }),
  oddNumbers,
  oddTexts,
  oddNumbers.map(String),
  fc.array(oddTexts, { maxLength: 30 }),
  fc.integer({ min: 1, max: 2000 }).map(nested),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

function nested(depth: number): Json {
  let value: Json = depth % 2 === 0 ? [] : {};
  for (let level = 0; level < depth; level += 1) value = level % 3 === 0 ? { a: value } : [value];
  return value;
}

import { expect, test } from "bun:test";
import pino from "pino";
import { writePlainLines } from "../../../src/appliance/monitoring/plain-lines.ts";
import { toPrintableJson } from "../../../src/contract/foreign-text.ts";

function openLog() {
  const lines: string[] = [];
  const log = pino(
    {
      base: null,
      timestamp: () => ',"time":"2026-11-22T10:00:00.000Z"',
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: toPrintableJson },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => void lines.push(line) },
  );
  return { log, lines };
}

const circle: { self?: object } = {};
circle.self = circle;

const fields: readonly object[] = [
  {},
  { requestId: "req_1", route: "/v1/search", status: 200, ms: 1.25, bytes: undefined, ok: true },
  { text: 'quotes " and \\ and \n \t \u0001 \u007f \u2028 \u202e', "a key": "é 日本 😀" },
  {
    lone: "\ud800",
    long: `${"a".repeat(150)}\udfff"`,
    number: Number.NaN,
    far: -1e300,
    none: null,
  },
  { level: "mine", time: 3, msg: "other" },
  { toJSON: 1 },
  { list: [1, "two"], nested: { three: 3 }, circle },
  { do: () => 1, sign: Symbol("s") },
  { err: "no error" },
  { err: Object.assign(new Error("broken"), { stack: "Error: broken" }), file: "a" },
];

test("each line is what pino writes", () => {
  const [quick, plain] = [openLog(), openLog()];
  writePlainLines(quick.log);
  for (const { log } of [quick, plain]) {
    for (const about of fields) {
      log.info(about, "call");
      log.warn(about);
    }
    log.error("only words");
    log.child({ part: "a" }).info({ b: 1 }, "of a child");
    log.debug({ b: 1 }, "not shown");
  }
  expect(quick.lines).toEqual(plain.lines);
  expect(plain.lines).toHaveLength(2 * fields.length + 2);
});

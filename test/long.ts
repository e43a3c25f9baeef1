/** Whether this is the long form: more rounds of faults, more growth. `scripts/test --long` and `.ci/run` are. */
export const isLong = process.env["TEST_LONG"] === "1";

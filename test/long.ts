/** Whether `scripts/explore` runs this: more rounds, more growth, and what takes minutes. */
export const isLong = process.env["TEST_LONG"] === "1";

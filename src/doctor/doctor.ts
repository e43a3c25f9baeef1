/** What is wrong with a data folder: looked for beside a running server, and by an operator at any time. */
export { watchForDamage } from "./background-checks.ts";
export { describeDamage, getDamageKey } from "./check-data-file.ts";

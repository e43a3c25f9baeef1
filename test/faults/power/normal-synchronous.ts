/** Preloaded, it makes databases that may lose their last commits with the power: what the promise must not survive. */
import { Database } from "bun:sqlite";

const run = Database.prototype.run;
Database.prototype.run = function (sql, ...bindings) {
  return run.call(this, sql.replace("synchronous = FULL", "synchronous = NORMAL"), ...bindings);
};

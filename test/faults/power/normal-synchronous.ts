/** Preloaded, it opens databases with synchronous=NORMAL, which may lose their last commits when the power fails. */
import { Database } from "bun:sqlite";

const run = Database.prototype.run;
Database.prototype.run = function (sql, ...bindings) {
  return run.call(this, sql.replace("synchronous = FULL", "synchronous = NORMAL"), ...bindings);
};

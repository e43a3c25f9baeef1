import { type DatabaseKind, rewritingMilliseconds } from "../../sqlite/database.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import erasure from "./migrations/0001_erasure.sql" with { type: "text" };
import decision from "./migrations/0002_decision.sql" with { type: "text" };
import fileStateSql from "./migrations/0003_file_state.sql" with { type: "text" };
import formerLogin from "./migrations/0004_former_login.sql" with { type: "text" };
import authorship from "./migrations/0005_authorship.sql" with { type: "text" };
import basis from "./migrations/0006_basis.sql" with { type: "text" };
import identifier from "./migrations/0007_identifier.sql" with { type: "text" };
import undone from "./migrations/0008_undone.sql" with { type: "text" };
import departure from "./migrations/0009_departure.sql" with { type: "text" };

/** Describes the pool's file, for `openDatabase`, backup and doctor. */
export const poolFile: DatabaseKind = {
  name: "pool",
  // "RPOL" in ASCII.
  applicationId: 0x52504f4c,
  migrations: [
    first,
    erasure,
    decision,
    fileStateSql,
    formerLogin,
    authorship,
    basis,
    identifier,
    undone,
    departure,
  ],
  isShrinkable: true,
  busyMilliseconds: rewritingMilliseconds,
};

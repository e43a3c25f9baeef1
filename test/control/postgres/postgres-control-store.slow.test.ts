import { describe } from "bun:test";
import { hasPostgres } from "../../postgres/database.ts";
import { describeDeliveries } from "../deliveries-contract.ts";
import { describeChargeProperties } from "../properties-contract.ts";
import { describeQuota } from "../quota-contract.ts";
import { countingRoomOver } from "../quota-fixture.ts";
import { describeRepeats } from "../repeats-contract.ts";
import { describeRollover } from "../rollover-contract.ts";
import { describeSaved } from "../saved-contract.ts";
import { describeSources } from "../sources-contract.ts";
import { describeStore } from "../store-contract.ts";
import { closeStoresAfterEach, openStore } from "./store.ts";

closeStoresAfterEach();

describe.skipIf(!hasPostgres)("the control store in PostgreSQL", () => {
  const openQuotaFixture = countingRoomOver((_, events) => openStore(events));
  describeQuota(openQuotaFixture);
  describeRepeats(openQuotaFixture);
  describeRollover(openQuotaFixture);
  describeChargeProperties(openQuotaFixture);
  describeStore(() => openStore());
  describeSaved(() => openStore());
  describeDeliveries(() => openStore());
  describeSources(() => openStore());
});

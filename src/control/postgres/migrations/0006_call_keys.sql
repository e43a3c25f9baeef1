CREATE TABLE "control"."call_key" (
	"account_id" text COLLATE "C" NOT NULL,
	"key" "bytea" NOT NULL,
	"request" "bytea" NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "call_key_account_id_key_pk" PRIMARY KEY("account_id","key")
);
CREATE INDEX "call_key_at" ON "control"."call_key" USING btree ("at_ms");

-- Charges one call that costs several calls, or that has an Idempotency-Key. It counts all of them or none: what
-- `control.charge` has counted is rolled back, with the exception that only this function throws and catches.
CREATE FUNCTION control.charge_call(
  charged text, kind text, credential text, calls integer, call_key bytea, asked bytea, kept_ms bigint,
  plan_names text[], plan_months bigint[], plan_days bigint[],
  trial_plan text, trial_ms bigint, given_ms bigint
) RETURNS TABLE (
  result text, month_used bigint, month_limit bigint, day_used bigint, day_limit bigint,
  trial_ends bigint, now_ms bigint, at_ms bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_charged record;
  v_result text;
  v_at bigint;
  v_first bytea;
  v_places integer[];
  v_undone bigint := 0;
BEGIN
  PERFORM 1 FROM control.account AS a WHERE a.id = charged FOR NO KEY UPDATE;
  SELECT greatest(coalesce(given_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), i.latest_ms)
    INTO v_at FROM control.instance AS i;
  SELECT k.request INTO v_first FROM control.call_key AS k
    WHERE k.account_id = charged AND k.key = call_key AND k.at_ms > v_at - kept_ms;
  v_places := ARRAY[CASE WHEN v_first IS NULL THEN calls ELSE 1 END];
  BEGIN
    SELECT c.*, count(*) FILTER (WHERE c.result = 'counted') OVER () AS counted INTO v_charged
    FROM control.charge(
      array_fill(charged, v_places), array_fill(kind, v_places), array_fill(credential, v_places),
      plan_names, plan_months, plan_days, trial_plan, trial_ms, given_ms
    ) AS c ORDER BY c.n DESC LIMIT 1;
    v_result := v_charged.result;
    IF v_first IS NOT NULL OR v_result <> 'counted' THEN
      RAISE EXCEPTION USING ERRCODE = 'RS001';
    END IF;
  EXCEPTION WHEN SQLSTATE 'RS001' THEN
    v_undone := v_charged.counted;
  END;
  IF v_first IS NOT NULL AND v_result IN ('counted', 'exhausted', 'trial-over') THEN
    v_result := CASE WHEN v_first = asked THEN 'repeated' ELSE 'other-request' END;
  ELSIF v_result = 'counted' AND call_key IS NOT NULL THEN
    DELETE FROM control.call_key AS k WHERE (k.account_id, k.key) IN (
      SELECT o.account_id, o.key FROM control.call_key AS o
      WHERE o.at_ms <= v_at - kept_ms ORDER BY o.at_ms LIMIT 100 FOR UPDATE SKIP LOCKED);
    INSERT INTO control.call_key AS k (account_id, key, request, at_ms) VALUES (charged, call_key, asked, v_at)
    ON CONFLICT (account_id, key) DO UPDATE SET request = excluded.request, at_ms = excluded.at_ms;
  END IF;
  RETURN QUERY SELECT v_result, v_charged.month_used - v_undone, v_charged.month_limit,
    v_charged.day_used - v_undone, v_charged.day_limit, v_charged.trial_ends, v_charged.now_ms, v_charged.at_ms;
END $$;

-- Rows of counts change with every batch: space beside them keeps their index untouched.
ALTER TABLE control.usage SET (fillfactor = 50);
ALTER TABLE control.api_key SET (fillfactor = 80);

CREATE FUNCTION control.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON control.audit
  FOR EACH STATEMENT EXECUTE FUNCTION control.refuse_change();

CREATE FUNCTION control.to_utc(ms bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  SELECT timestamp 'epoch' + ms * interval '1 millisecond'
$$;

-- The charge: one statement, which commits by itself. `given_ms` is the instant to count at; null is this server's clock,
-- so that all nodes have one. Accounts are locked first, always in one order: no two batches wait for each other, and
-- what is read afterwards is what the one before has committed, be it a count, a limit or a key that was replaced.
CREATE FUNCTION control.charge(
  charged text[], kinds text[], credentials text[],
  plan_names text[], plan_months bigint[], plan_days bigint[],
  trial_plan text, trial_ms bigint, given_ms bigint
) RETURNS TABLE (
  n bigint, result text, month_used bigint, month_limit bigint, day_used bigint, day_limit bigint,
  trial_ends bigint, now_ms bigint, at_ms bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now bigint;
  v_at bigint;
  v_latest bigint;
  v_moved bigint;
  v_minute bigint;
  v_month text;
  v_day text;
BEGIN
  PERFORM 1 FROM control.account AS a WHERE a.id = ANY (charged) ORDER BY a.id FOR NO KEY UPDATE;
  SELECT i.latest_ms INTO v_latest FROM control.instance AS i;
  v_now := coalesce(given_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  v_at := greatest(v_now, v_latest);
  v_minute := v_now - v_now % 60000;
  v_month := to_char(control.to_utc(v_at), 'YYYY-MM');
  v_day := to_char(control.to_utc(v_at), 'YYYY-MM-DD');

  RETURN QUERY
  WITH call AS MATERIALIZED (
    SELECT c.* FROM unnest(charged, kinds, credentials) WITH ORDINALITY AS c (account_id, kind, id, n)
  ), holder AS MATERIALIZED (
    SELECT a.id, a.plan, a.disabled, p.name IS NOT NULL AS has_plan,
      CASE WHEN a.calls_per_month IS NULL THEN p.per_month WHEN a.calls_per_month >= 0 THEN a.calls_per_month END AS month_limit,
      CASE WHEN a.calls_per_day IS NULL THEN p.per_day WHEN a.calls_per_day >= 0 THEN a.calls_per_day END AS day_limit,
      coalesce(m.used, 0) AS month_used, coalesce(d.used, 0) AS day_used,
      CASE WHEN a.plan = trial_plan THEN a.created_ms + trial_ms END AS trial_ends
    FROM control.account AS a
    LEFT JOIN unnest(plan_names, plan_months, plan_days) AS p (name, per_month, per_day) ON p.name = a.plan
    LEFT JOIN control.usage AS m ON m."window" = v_month AND m.account_id = a.id
    LEFT JOIN control.usage AS d ON d."window" = v_day AND d.account_id = a.id
    WHERE a.id = ANY (charged)
  ), alive AS MATERIALIZED (
    SELECT c.account_id, c.kind, c.id
    FROM (SELECT DISTINCT account_id, kind, id FROM call) AS c
    JOIN holder AS h ON h.id = c.account_id AND NOT h.disabled
    WHERE CASE c.kind
      -- The operator's credential is valid for the operator's own account only.
      WHEN 'operator' THEN h.plan = 'operator' AND c.id = h.id
      WHEN 'key' THEN EXISTS (SELECT 1 FROM control.api_key AS k
        WHERE k.id = c.id AND k.account_id = h.id AND k.revoked_ms IS NULL)
      -- A token is valid only with the consent to its client; without one it is a leftover.
      WHEN 'grant' THEN EXISTS (SELECT 1 FROM control.oauth_access_token AS t
        JOIN control.oauth_consent AS s ON s.user_id = t.user_id AND s.client_id = t.client_id
        WHERE t.id = c.id AND t.user_id = h.id AND t.revoked_ms IS NULL AND t.expires_ms > v_at)
      WHEN 'session' THEN EXISTS (SELECT 1 FROM control.session AS s
        WHERE s.id = c.id AND s.user_id = h.id AND s.expires_ms > v_at)
      ELSE false END
  ), ranked AS MATERIALIZED (
    SELECT c.n, c.kind, c.id AS credential_id, h.*,
      row_number() OVER (PARTITION BY h.id ORDER BY c.n) AS place
    FROM call AS c JOIN alive AS l USING (account_id, kind, id) JOIN holder AS h ON h.id = c.account_id
  ), decided AS MATERIALIZED (
    SELECT r.*, CASE
      WHEN NOT r.has_plan THEN 'failed'
      WHEN r.trial_ends <= v_at THEN 'trial-over'
      WHEN r.month_used + r.place > r.month_limit OR r.day_used + r.place > r.day_limit THEN 'exhausted'
      ELSE 'counted' END AS result
    FROM ranked AS r
  ), counted AS MATERIALIZED (
    SELECT d.id, count(*) AS calls FROM decided AS d WHERE d.result = 'counted' GROUP BY d.id
  ), written AS (
    INSERT INTO control.usage AS u ("window", account_id, used)
    SELECT w.name, c.id, c.calls FROM counted AS c CROSS JOIN (VALUES (v_month), (v_day)) AS w (name)
    ORDER BY c.id, w.name
    ON CONFLICT ("window", account_id) DO UPDATE SET used = u.used + excluded.used
  ), touched_keys AS (
    UPDATE control.api_key AS k SET last_used_ms = v_minute
    WHERE k.id IN (SELECT d.credential_id FROM decided AS d WHERE d.result = 'counted' AND d.kind = 'key')
    AND k.last_used_ms IS DISTINCT FROM v_minute
  ), touched_consents AS (
    UPDATE control.oauth_consent AS s SET last_used_ms = v_minute
    FROM control.oauth_access_token AS t
    WHERE t.id IN (SELECT d.credential_id FROM decided AS d WHERE d.result = 'counted' AND d.kind = 'grant')
    AND s.user_id = t.user_id AND s.client_id = t.client_id AND s.last_used_ms IS DISTINCT FROM v_minute
  ), moved AS (
    UPDATE control.instance AS i SET latest_ms = v_at - v_at % 60000
    WHERE i.latest_ms < v_at - v_at % 60000 AND EXISTS (SELECT 1 FROM counted)
  )
  SELECT c.n, coalesce(d.result, 'unauthorized'),
    d.month_used + CASE WHEN d.result = 'counted' THEN d.place ELSE coalesce(t.calls, 0) END, d.month_limit,
    d.day_used + CASE WHEN d.result = 'counted' THEN d.place ELSE coalesce(t.calls, 0) END, d.day_limit,
    d.trial_ends, v_now, v_at
  FROM call AS c LEFT JOIN decided AS d USING (n) LEFT JOIN counted AS t ON t.id = d.id
  ORDER BY c.n;

  -- Only the first batch of a new day finds that the latest instant has moved there.
  SELECT i.latest_ms INTO v_moved FROM control.instance AS i;
  IF v_moved > v_latest AND to_char(control.to_utc(v_latest), 'YYYY-MM-DD') <> v_day THEN
    DELETE FROM control.usage AS u
    WHERE u."window" < to_char(control.to_utc(v_at) - interval '13 months', 'YYYY-MM');
  END IF;
END $$;

-- A token that is being made waits for whoever takes back the consent to it, and that one for the token: so the token is
-- either deleted with the consent, or its maker finds that there is none.
CREATE FUNCTION control.hold_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM control.oauth_consent AS s
  WHERE s.user_id = NEW.user_id AND s.client_id = NEW.client_id FOR KEY SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER access_token_consent BEFORE INSERT ON control.oauth_access_token
  FOR EACH ROW EXECUTE FUNCTION control.hold_consent();
CREATE TRIGGER refresh_token_consent BEFORE INSERT ON control.oauth_refresh_token
  FOR EACH ROW EXECUTE FUNCTION control.hold_consent();

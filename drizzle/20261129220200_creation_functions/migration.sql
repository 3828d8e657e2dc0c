-- Takes places for new jobs from their owners' rates, over all processes, for a whole batch of callers at once: all of what a
-- caller asks for, or none of it. An owner's callers are answered in the order asked, of those who fit. A caller names the keys
-- under which the jobs are to be: one that is held already is a repeat, creates nothing, and takes no place. (`key_places` says
-- whose each key is, by the caller's place in the other arrays.)
--
-- Within any span of `span` ms an owner gets no more than `most` places. Proof: what is granted at an instant t is kept with the
-- end of its slice of time, which is later than t, and counts until that end is `span` ms ago. So whoever takes at u counts
-- all that was granted since u - span, under the row's lock, and is refused where that and the new ones exceed `most`. The
-- price of slices is that a place comes free up to a sixtieth of the span late; its gain is a row of at most 61 of them.
--
-- With `passing_by`, owners whose row another session holds are left out of the answer.
CREATE FUNCTION onejob_take_creations(owners text[], limits integer[], spans integer[], key_places integer[], keys text[],
  passing_by boolean)
RETURNS TABLE (place integer, granted boolean, retry_after_ms integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  amounts integer[];
  rate record;
  take record;
  is_held boolean;
  was_ahead boolean;
  at_ timestamptz;
  span interval;
  this_end timestamptz;
  ends timestamptz[];
  sums integer[];
  used bigint;
  fresh integer;
BEGIN
  -- A job that a place is for is committed later, and its commit brings this one to disk before it: waiting twice for the disk
  -- makes nothing safer. Lost in a crash, the places were not used.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT array_agg(coalesce(k.amount, 0) ORDER BY t.place) INTO amounts
  FROM generate_subscripts(owners, 1) AS t (place) LEFT JOIN (
    SELECT k.place, count(*)::integer AS amount FROM unnest(key_places, keys) AS k (place, key)
    WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.owner_id = owners[k.place] AND j.idempotency_key = k.key) GROUP BY k.place
  ) k ON k.place = t.place;
  -- Those for whom the owner's row does not matter: they create nothing, or more than would ever fit.
  RETURN QUERY SELECT t.place::integer, t.amount = 0, null::integer
  FROM unnest(amounts, limits) WITH ORDINALITY AS t (amount, most, place) WHERE t.amount = 0 OR t.amount > t.most;
  -- In the same order in every session, so that two batches cannot deadlock.
  FOR rate IN
    SELECT DISTINCT t.owner, t.per_ms FROM unnest(owners, spans, amounts, limits) AS t (owner, per_ms, amount, most)
    WHERE t.amount BETWEEN 1 AND t.most ORDER BY t.owner, t.per_ms
  LOOP
    INSERT INTO creation_rates (owner_id, per_ms, slice_ends, amounts) VALUES (rate.owner, rate.per_ms, '{}', '{}')
    ON CONFLICT DO NOTHING;
    IF passing_by THEN
      SELECT true INTO is_held FROM creation_rates r WHERE r.owner_id = rate.owner AND r.per_ms = rate.per_ms
      FOR NO KEY UPDATE SKIP LOCKED;
    ELSE
      SELECT true INTO is_held FROM creation_rates r WHERE r.owner_id = rate.owner AND r.per_ms = rate.per_ms
      FOR NO KEY UPDATE;
    END IF;
    CONTINUE WHEN is_held IS NULL;
    at_ := onejob_now();
    span := rate.per_ms * interval '1 millisecond';
    -- To the end of the slice. Where the clock was put back, later ends become this one, and so count for one span and no more.
    this_end := date_bin(ceil(rate.per_ms / 60.0) * interval '1 millisecond', at_, 'epoch') + ceil(rate.per_ms / 60.0) * interval '1 millisecond';
    SELECT coalesce(array_agg(k.until ORDER BY k.until), '{}'), coalesce(array_agg(k.amount ORDER BY k.until), '{}'), coalesce(sum(k.amount), 0),
      coalesce(bool_or(k.ahead), false)
    INTO ends, sums, used, was_ahead FROM (
      SELECT least(s.until, this_end) AS until, sum(s.amount)::integer AS amount, bool_or(s.until > this_end) AS ahead
      FROM creation_rates r, unnest(r.slice_ends, r.amounts) AS s (until, amount)
      WHERE r.owner_id = rate.owner AND r.per_ms = rate.per_ms AND s.until > at_ - span GROUP BY 1
    ) k;
    fresh := 0;
    FOR take IN
      SELECT t.place::integer, t.amount, t.most FROM unnest(owners, amounts, limits, spans)
        WITH ORDINALITY AS t (owner, amount, most, per_ms, place)
      WHERE t.owner = rate.owner AND t.per_ms = rate.per_ms AND t.amount BETWEEN 1 AND t.most ORDER BY t.place
    LOOP
      place := take.place;
      granted := used + take.amount <= take.most;
      retry_after_ms := null;
      IF granted THEN
        used := used + take.amount;
        fresh := fresh + take.amount;
      ELSE
        -- When enough of it has passed.
        SELECT ceil(extract(epoch FROM min(f.until) + span - at_) * 1000) INTO retry_after_ms FROM (
          SELECT s.until, sum(s.amount) OVER (ORDER BY s.until) AS freed
          FROM unnest(ends || this_end, sums || fresh) AS s (until, amount)
        ) f WHERE used - f.freed + take.amount <= take.most;
      END IF;
      RETURN NEXT;
    END LOOP;
    CONTINUE WHEN fresh = 0 AND NOT was_ahead;
    IF ends[cardinality(ends)] = this_end THEN
      sums[cardinality(sums)] := sums[cardinality(sums)] + fresh;
    ELSIF fresh > 0 THEN
      ends := ends || this_end;
      sums := sums || fresh;
    END IF;
    UPDATE creation_rates r SET slice_ends = ends, amounts = sums WHERE r.owner_id = rate.owner AND r.per_ms = rate.per_ms;
  END LOOP;
END $$;

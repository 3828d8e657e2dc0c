-- What a claim takes, chosen owner by owner, and the guards of the column by which it chooses.

-- Of one provider the attempts that a claim may take, with their jobs locked: at most `amount`, the owners in turn from the
-- one after `after_owner` on, of each owner the highest priority first, then the one due the longest. Jobs that others hold are
-- passed by. It is a function because each of its statements sees what has been committed until then: whoever waited for
-- the provider's limits must not start on one that was paused meanwhile, nor miss what the one before has taken.
CREATE FUNCTION onejob_pick_attempts(wanted_provider text, wanted_operations text[], after_owner text, amount integer)
RETURNS TABLE (attempt uuid, job uuid, owner text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  due timestamptz := onejob_now();
  room integer := amount;
  -- The owner after whom the next turn comes, and how many owners are looked at to find whose it is.
  last_owner text := after_owner;
  breadth integer := amount;
  -- All owners with something due, where what is due is so little that finding them so is the shorter way.
  few_owners text[];
  due_count integer;
  owners text[];
  share integer;
  chosen uuid[] := '{}';
  chosen_before integer;
BEGIN
  IF EXISTS (SELECT FROM provider_settings s WHERE s.provider = wanted_provider AND s.paused_at IS NOT NULL) THEN
    RETURN;
  END IF;
  SELECT array_agg(DISTINCT d.owner_id), count(*) INTO few_owners, due_count FROM (
    SELECT a.owner_id FROM attempts a
    WHERE a.waiting AND a.provider = wanted_provider AND a.run_at <= due
      AND (wanted_operations IS NULL OR a.operation = ANY (wanted_operations))
    ORDER BY a.run_at LIMIT 201
  ) d;
  WHILE room > 0 AND due_count > 0 LOOP
    IF due_count <= 200 THEN
      owners := ARRAY(SELECT f.owner FROM unnest(few_owners) AS f (owner) ORDER BY f.owner <= last_owner, f.owner);
      breadth := cardinality(owners) + 1;
    ELSE
      owners := onejob_waiting_owners(wanted_provider, last_owner, null, breadth);
      IF cardinality(owners) < breadth THEN
        owners := owners || onejob_waiting_owners(wanted_provider, '', last_owner, breadth - cardinality(owners));
      END IF;
    END IF;
    EXIT WHEN cardinality(owners) = 0;
    share := ceil(room::numeric / cardinality(owners));
    chosen_before := cardinality(chosen);
    FOR attempt, job, owner IN
      SELECT p.id, p.job_id, o.owner FROM unnest(owners) AS o (owner), LATERAL (
        SELECT a.id, a.job_id FROM attempts a JOIN jobs j ON j.id = a.job_id
        WHERE a.waiting AND a.provider = wanted_provider AND a.owner_id = o.owner AND a.run_at <= due
          AND (wanted_operations IS NULL OR a.operation = ANY (wanted_operations)) AND a.id <> ALL (chosen)
          AND j.state = 'QUEUED' AND j.version = a.job_version AND j.latest_attempt = a.id
        ORDER BY a.priority DESC NULLS LAST, a.run_at, a.operation, a.id LIMIT share FOR NO KEY UPDATE OF j SKIP LOCKED
      ) p LIMIT room
    LOOP
      chosen := chosen || attempt;
      RETURN NEXT;
    END LOOP;
    IF cardinality(chosen) > chosen_before THEN
      room := room - (cardinality(chosen) - chosen_before);
      last_owner := owners[cardinality(owners)];
      breadth := room;
    ELSE
      -- Nobody looked at has anything to take; all of them looked at, nothing is left.
      EXIT WHEN cardinality(owners) < breadth;
      breadth := breadth * 4;
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- The first owners past one, and up to another (null: to the end), who have an attempt waiting for the provider. From owner to
-- owner in the index: what one of them has waiting is not read to find the next.
CREATE FUNCTION onejob_waiting_owners(wanted_provider text, past_owner text, up_to text, amount integer) RETURNS text[]
LANGUAGE sql AS $$
  WITH RECURSIVE turn (owner, place) AS (
    (SELECT a.owner_id, 1 FROM attempts a
     WHERE a.waiting AND a.provider = wanted_provider AND a.owner_id > past_owner ORDER BY a.owner_id LIMIT 1)
    UNION ALL
    SELECT (SELECT a.owner_id FROM attempts a
      WHERE a.waiting AND a.provider = wanted_provider AND a.owner_id > t.owner ORDER BY a.owner_id LIMIT 1), t.place + 1
    FROM turn t WHERE t.place < amount AND t.owner IS NOT NULL AND (up_to IS NULL OR t.owner < up_to)
  )
  SELECT ARRAY(SELECT t.owner FROM turn t WHERE t.owner IS NOT NULL AND (up_to IS NULL OR t.owner <= up_to))
$$;
--> statement-breakpoint
-- How many attempts may start on a provider now, over all processes. Claims on it take turns until their statement ends.
CREATE FUNCTION onejob_room(wanted_provider text, max_running integer, max_starts integer, look_back_ms integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
  room integer;
BEGIN
  -- Full is full, with or without a turn: whoever waits for room is told when an attempt ends.
  IF max_running <= (SELECT count(*) FROM attempts a WHERE a.held AND a.provider = wanted_provider) THEN
    RETURN 0;
  END IF;
  INSERT INTO provider_paces (provider, starts, window_ms) VALUES (wanted_provider, '{}', 0) ON CONFLICT DO NOTHING;
  SELECT p.starts INTO recent FROM provider_paces p WHERE p.provider = wanted_provider FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM unnest(recent) AS s (at) WHERE s.at > onejob_now()) THEN
    -- The clock was put back: these starts are as recent as can be, and no more.
    UPDATE provider_paces p SET starts = ARRAY(SELECT least(s.at, onejob_now()) FROM unnest(p.starts) AS s (at))
    WHERE p.provider = wanted_provider RETURNING p.starts INTO recent;
  END IF;
  SELECT max_starts - count(*) INTO room FROM unnest(recent) AS s (at)
  WHERE s.at > onejob_now() - look_back_ms * interval '1 millisecond';
  IF max_running IS NOT NULL THEN
    -- Where one of the two is null, the other one decides.
    room := least(room, max_running - (SELECT count(*) FROM attempts a WHERE a.held AND a.provider = wanted_provider));
  END IF;
  RETURN greatest(room, 0);
END $$;
--> statement-breakpoint
-- Keeps that so many attempts have just started on a provider, for as long as the longest look back that was ever asked for.
CREATE FUNCTION onejob_note_starts(wanted_provider text, amount integer, look_back_ms integer) RETURNS void LANGUAGE sql AS $$
  UPDATE provider_paces p SET window_ms = greatest(p.window_ms, look_back_ms), starts = ARRAY(
    SELECT s.at FROM unnest(p.starts) AS s (at)
    WHERE s.at > onejob_now() - greatest(p.window_ms, look_back_ms) * interval '1 millisecond'
  ) || array_fill(onejob_now(), ARRAY[amount])
  WHERE p.provider = wanted_provider
$$;
--> statement-breakpoint
DROP TRIGGER attempts_identity ON attempts;
--> statement-breakpoint
CREATE TRIGGER attempts_identity BEFORE UPDATE OF id, job_id, number, provider, provider_revision, owner_id, operation, job_version, certification_id, uncertified_by, created_at ON attempts FOR EACH ROW
WHEN ((new.id, new.job_id, new.number, new.provider, new.provider_revision, new.owner_id, new.operation, new.job_version, new.certification_id, new.uncertified_by, new.created_at)
  IS DISTINCT FROM (old.id, old.job_id, old.number, old.provider, old.provider_revision, old.owner_id, old.operation, old.job_version, old.certification_id, old.uncertified_by, old.created_at))
EXECUTE FUNCTION onejob_refuse('OJ007', 'I7: what an attempt was made with never changes');
--> statement-breakpoint
CREATE OR REPLACE FUNCTION onejob_check_new_attempts() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh a JOIN jobs j ON j.id = a.job_id
      WHERE j.latest_attempt <> a.id OR j.version <> a.job_version OR j.attempt_count <> a.number OR j.owner_id <> a.owner_id
        OR j.state <> 'QUEUED' OR j.purged_at IS NOT NULL) THEN
    RAISE EXCEPTION USING ERRCODE = 'OJ003', MESSAGE = 'I3: a new attempt is its job''s newest, carries its version and owner, and finds it QUEUED and not purged', TABLE = 'attempts';
  END IF;
  IF EXISTS (SELECT FROM fresh a JOIN jobs j ON j.id = a.job_id
      LEFT JOIN certifications c ON c.id = a.certification_id AND c.provider = a.provider AND c.operation = a.operation AND c.status = 'PASSED'
      WHERE a.provider <> j.provider AND c.id IS NULL AND a.uncertified_by IS NULL) THEN
    RAISE EXCEPTION USING ERRCODE = 'OJ009', MESSAGE = 'I9: an attempt on another provider than its job''s needs a certification or an operator''s override', TABLE = 'attempts';
  END IF;
  RETURN NULL;
END $$;

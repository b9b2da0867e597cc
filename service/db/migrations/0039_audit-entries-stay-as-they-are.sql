-- An entry never changes, also not to get a place in the chain, and is removed only by whoever says
-- to move the checkpoint.
CREATE OR REPLACE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('conversation_service.retention', true) = 'checkpoint' THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'audit entries are append-only';
END
$$;

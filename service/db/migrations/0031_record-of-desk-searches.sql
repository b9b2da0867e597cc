CREATE TABLE "desk_searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "desk_searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"person" jsonb NOT NULL,
	"search" text,
	"found" jsonb NOT NULL,
	"ip" text,
	"user_agent" text,
	"request_id" text
);
--> statement-breakpoint
CREATE INDEX "desk_searches_at" ON "desk_searches" USING btree ("at");--> statement-breakpoint
CREATE INDEX "desk_searches_person" ON "desk_searches" USING btree ((person ->> 'id'),"id");--> statement-breakpoint
-- As with audit entries, nothing but retention removes a row.
CREATE FUNCTION "refuse_desk_search_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('conversation_service.retention', true) = 'checkpoint' THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'the record of desk searches is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "desk_searches_append_only" BEFORE UPDATE OR DELETE ON "desk_searches" FOR EACH ROW EXECUTE FUNCTION "refuse_desk_search_change"();
--> statement-breakpoint
CREATE TRIGGER "desk_searches_no_truncate" BEFORE TRUNCATE ON "desk_searches" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_desk_search_change"();

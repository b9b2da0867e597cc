CREATE TABLE "audit_heads" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"checkpoint_sequence" bigint NOT NULL,
	"checkpoint_hash" "bytea" NOT NULL,
	"broken_at" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "sequence" bigint;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "hash" "bytea";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "is_chained_later" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_sequence" ON "audit_entries" USING btree ("account_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_entries_unchained" ON "audit_entries" USING btree ("account_id","id") WHERE sequence is null;--> statement-breakpoint
-- An entry without a place in the chain may get one, and stay as it is otherwise. One that has a
-- place is removed only by whoever says to move the checkpoint; earlier versions do not.
CREATE OR REPLACE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF current_setting('conversation_service.retention', true) = 'checkpoint'
			OR (OLD.sequence IS NULL AND current_setting('conversation_service.retention', true) = 'on') THEN
			RETURN OLD;
		END IF;
	ELSIF TG_OP = 'UPDATE' THEN
		IF OLD.sequence IS NULL AND NEW.sequence IS NOT NULL
			AND to_jsonb(NEW) - '{sequence,hash,is_chained_later}'::text[]
				= to_jsonb(OLD) - '{sequence,hash,is_chained_later}'::text[] THEN
			RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'audit entries are append-only';
END
$$;

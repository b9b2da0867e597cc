ALTER TABLE "accounts" ADD COLUMN "second_factor_required_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "session_hours" integer DEFAULT 168 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamp (3) with time zone;
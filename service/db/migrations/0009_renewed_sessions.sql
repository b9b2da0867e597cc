ALTER TABLE "sessions" ADD COLUMN "previous_digest" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "previous_valid_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_previous_digest" ON "sessions" USING btree ("previous_digest");
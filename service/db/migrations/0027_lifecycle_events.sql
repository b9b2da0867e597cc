ALTER TABLE "api_keys" ADD COLUMN "expiry_notices" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "about_webhook_id" integer;--> statement-breakpoint
ALTER TABLE "lanes" ADD COLUMN "failing_announced_for" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_expiring" ON "api_keys" USING btree ("expires_at","id") WHERE revoked_at is null and expires_at is not null and expiry_notices < 3;--> statement-breakpoint
CREATE INDEX "lanes_failing_unannounced" ON "lanes" USING btree ("failing_since") WHERE failing_since is distinct from failing_announced_for and failing_since is not null;--> statement-breakpoint
-- What expired before this version is not announced any more.
UPDATE "api_keys" SET "expiry_notices" = 3 WHERE "expires_at" <= now();

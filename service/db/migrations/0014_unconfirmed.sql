ALTER TABLE "api_key_tokens" ADD COLUMN "unconfirmed_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_key_tokens" ADD COLUMN "unconfirmed_mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_key_tokens" ADD COLUMN "undo_token_id" integer;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "unconfirmed_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "unconfirmed_mailed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "api_key_tokens_unconfirmed" ON "api_key_tokens" USING btree ("unconfirmed_since") WHERE unconfirmed_since is not null and unconfirmed_mailed_at is null;--> statement-breakpoint
CREATE INDEX "webhook_secrets_unconfirmed" ON "webhook_secrets" USING btree ("unconfirmed_since") WHERE unconfirmed_since is not null and unconfirmed_mailed_at is null;
ALTER TABLE "sent_notices" ADD COLUMN "undeliverable_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sent_notices" ADD COLUMN "refusal" jsonb;--> statement-breakpoint
CREATE INDEX "rotation_requests_unanswered" ON "rotation_requests" USING btree ("created_at") WHERE state = 'open' and reason <> 'leaked';--> statement-breakpoint
CREATE INDEX "rotation_requests_leaks" ON "rotation_requests" USING btree ("created_at") WHERE state in ('open', 'expired') and reason = 'leaked';--> statement-breakpoint
CREATE INDEX "sent_notices_undeliverable" ON "sent_notices" USING btree ("undeliverable_since") WHERE undeliverable_since is not null;--> statement-breakpoint
CREATE INDEX "webhooks_deactivated" ON "webhooks" USING btree ("inactive_since") WHERE not is_active and inactive_reason not in ('setup', 'paused');
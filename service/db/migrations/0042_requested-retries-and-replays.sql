DROP INDEX "deliveries_time";--> statement-breakpoint
DROP INDEX "deliveries_retried";--> statement-breakpoint
DROP INDEX "deliveries_failed";--> statement-breakpoint
DROP INDEX "deliveries_refused";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "is_requested" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "scheduled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "replays" ADD COLUMN "sends_pending" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "replays" ADD COLUMN "sends_earlier" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_replayed" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE replay_uuid is not null;--> statement-breakpoint
CREATE INDEX "deliveries_waiting_of_replay" ON "deliveries" USING btree ("replay_uuid") WHERE status = 'pending' and replay_uuid is not null;--> statement-breakpoint
CREATE INDEX "deliveries_time" ON "deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_retried" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE attempt_count > 1 or (attempt_count = 1 and status <> 'delivered');--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_refused" ON "deliveries" USING btree ("webhook_id","last_status_code","created_at","id") WHERE last_status_code >= 300;
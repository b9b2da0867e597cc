ALTER TABLE "lanes" ADD COLUMN "is_for_tests" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "created_by" jsonb;--> statement-breakpoint
CREATE INDEX "deliveries_tests_due" ON "deliveries" USING btree ("webhook_id","due_at") WHERE status = 'pending' and event_type = 'webhook.test';--> statement-breakpoint
UPDATE "webhooks" SET "created_by" = "audit_entries"."actor" FROM "audit_entries"
WHERE "audit_entries"."account_id" = "webhooks"."account_id"
	AND "audit_entries"."target" ->> 'id' = "webhooks"."uuid"::text
	AND "audit_entries"."action" = 'webhook.created';

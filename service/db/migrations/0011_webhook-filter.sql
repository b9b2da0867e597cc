ALTER TABLE "deliveries" ADD COLUMN "filter_error" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "filtered_out" jsonb;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "filter" jsonb;--> statement-breakpoint
CREATE INDEX "webhooks_filtered" ON "webhooks" USING btree ("account_id") WHERE filter is not null;
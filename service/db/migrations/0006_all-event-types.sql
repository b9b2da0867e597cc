ALTER TABLE "lanes" ADD COLUMN "recovered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "all_events" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "lanes_recovered" ON "lanes" USING btree ("recovered_at") WHERE recovered_at is not null;
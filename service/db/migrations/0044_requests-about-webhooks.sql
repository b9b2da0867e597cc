ALTER TABLE "rotation_requests" ALTER COLUMN "api_key_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "act" text DEFAULT 'rotate' NOT NULL;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "webhook_id" integer;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_webhook_acts" ON "rotation_requests" USING btree ("account_id","webhook_id","act") WHERE state = 'open' and reason <> 'leaked';--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_secret_leaks" ON "rotation_requests" USING btree ("account_id","webhook_id","requested_by_id") WHERE state = 'open' and reason = 'leaked';
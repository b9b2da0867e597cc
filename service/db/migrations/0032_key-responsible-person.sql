ALTER TABLE "api_keys" ADD COLUMN "responsible_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "responsible_name" text;
ALTER TABLE "api_keys" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_limit_per_minute" integer;
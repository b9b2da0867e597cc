ALTER TABLE "accounts" ADD COLUMN "max_keys" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "max_webhooks" integer;
ALTER TABLE "accounts" ADD COLUMN "support_tokens" text DEFAULT 'within_role' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "support_payloads" boolean DEFAULT false NOT NULL;
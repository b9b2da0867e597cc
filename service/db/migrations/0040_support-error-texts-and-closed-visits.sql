ALTER TABLE "accounts" ADD COLUMN "support_error_texts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "installation_support_error_texts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "support_visits" ADD COLUMN "closed_at" timestamp (3) with time zone;
ALTER TABLE "webhooks" ADD COLUMN "contact_email" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "contact_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "contact_link_digest" "bytea";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "contact_link_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "contact_told" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_contact_link_digest_unique" UNIQUE("contact_link_digest");
CREATE TABLE "webhook_headers" (
	"account_id" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"uuid" uuid NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "webhook_headers_account_id_webhook_id_pk" PRIMARY KEY("account_id","webhook_id"),
	CONSTRAINT "webhook_headers_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "header_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_headers" ADD CONSTRAINT "webhook_headers_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
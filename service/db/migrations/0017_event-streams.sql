CREATE TABLE "event_streams" (
	"account_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"uuid" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_streams_account_id_number_pk" PRIMARY KEY("account_id","number")
);
--> statement-breakpoint
ALTER TABLE "event_streams" ADD CONSTRAINT "event_streams_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
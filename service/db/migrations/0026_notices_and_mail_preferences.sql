CREATE TABLE "sent_notices" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"occasion" text NOT NULL,
	"person_id" text NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"mail" jsonb,
	"tries" integer NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "sent_notices_account_id_kind_subject_id_occasion_person_id_pk" PRIMARY KEY("account_id","kind","subject_id","occasion","person_id"),
	CONSTRAINT "sent_notices_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "turned_off_mails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sent_notices" ADD CONSTRAINT "sent_notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_notices" ADD CONSTRAINT "sent_notices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sent_notices_person" ON "sent_notices" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sent_notices_due" ON "sent_notices" USING btree ("next_try_at") WHERE next_try_at is not null;
CREATE TABLE "email_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" text NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"confirm_digest" "bytea",
	"revoke_digest" "bytea" NOT NULL,
	"is_mailed" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmable_until" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"revocable_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_changes_confirm_digest_unique" UNIQUE("confirm_digest"),
	CONSTRAINT "email_changes_revoke_digest_unique" UNIQUE("revoke_digest")
);
--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_changes_person" ON "email_changes" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "email_changes_old_email" ON "email_changes" USING btree ("old_email");
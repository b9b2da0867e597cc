CREATE TABLE "installation_support" (
	"person_id" text PRIMARY KEY NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_visits" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"person_id" text NOT NULL,
	"session_id" text,
	"reason" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "support_visits_account_id_uuid_pk" PRIMARY KEY("account_id","uuid")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "allows_installation_support" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "installation_support_tokens" text DEFAULT 'within_role' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "installation_support_payloads" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "installation_support" ADD CONSTRAINT "installation_support_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "support_visits_person" ON "support_visits" USING btree ("person_id","account_id");--> statement-breakpoint
CREATE INDEX "support_visits_session" ON "support_visits" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "accounts_name" ON "accounts" USING btree (lower("name"),"id");
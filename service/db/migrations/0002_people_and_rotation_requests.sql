CREATE TABLE "rotation_requests" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"api_key_id" integer NOT NULL,
	"requested_by_id" text NOT NULL,
	"member_id" text NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" jsonb,
	CONSTRAINT "rotation_requests_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "rotation_requests_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "chosen_account_id" uuid;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_requested_by_id_people_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_member_id_people_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open" ON "rotation_requests" USING btree ("account_id","api_key_id") WHERE state = 'open';--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_chosen_account_id_accounts_id_fk" FOREIGN KEY ("chosen_account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;
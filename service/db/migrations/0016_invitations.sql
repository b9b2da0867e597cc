CREATE TABLE "invitations" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"is_mailed" boolean NOT NULL,
	"invited_by_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "invitations_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "invitations_digest_unique" UNIQUE("digest"),
	CONSTRAINT "invitations_email" UNIQUE("account_id","email")
);
--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "is_unverified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_people_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;
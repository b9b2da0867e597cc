CREATE TABLE "provisioners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provisioners_name_unique" UNIQUE("name"),
	CONSTRAINT "provisioners_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "provisioner_id" uuid;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_provisioner_id_provisioners_id_fk" FOREIGN KEY ("provisioner_id") REFERENCES "public"."provisioners"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_provisioner" ON "accounts" USING btree ("provisioner_id") WHERE "accounts"."provisioner_id" is not null;
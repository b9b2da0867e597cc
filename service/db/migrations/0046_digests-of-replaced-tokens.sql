CREATE TABLE "api_key_replaced_tokens" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"replaced_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_key_replaced_tokens_account_id_api_key_id_digest_pk" PRIMARY KEY("account_id","api_key_id","digest")
);
--> statement-breakpoint
ALTER TABLE "api_key_replaced_tokens" ADD CONSTRAINT "api_key_replaced_tokens_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_replaced_tokens_digest" ON "api_key_replaced_tokens" USING btree ("digest");
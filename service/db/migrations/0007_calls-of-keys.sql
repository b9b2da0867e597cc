CREATE TABLE "api_key_call_counts" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"route" text NOT NULL,
	"method" text NOT NULL,
	"problem" text NOT NULL,
	"detail" text NOT NULL,
	"outcome" text NOT NULL,
	"calls" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"last_address" text NOT NULL,
	CONSTRAINT "api_key_call_counts_pk" PRIMARY KEY("account_id","api_key_id","hour","route","method","problem","detail")
);
--> statement-breakpoint
CREATE TABLE "api_key_callers" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"token_id" integer NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"calls" integer NOT NULL,
	"turned_away" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"last_route" text NOT NULL,
	"last_method" text NOT NULL,
	"last_status" integer NOT NULL,
	CONSTRAINT "api_key_callers_pk" PRIMARY KEY("account_id","api_key_id","hour","token_id","address","user_agent")
);
--> statement-breakpoint
ALTER TABLE "api_key_failed_call_counts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "api_key_failed_call_counts" CASCADE;--> statement-breakpoint
ALTER TABLE "api_key_tokens" ADD COLUMN "replaced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_key_token_calls" ADD COLUMN "first_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_key_token_calls" ADD COLUMN "last_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_key_token_calls" ADD COLUMN "minutes" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_key_call_counts" ADD CONSTRAINT "api_key_call_counts_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_callers" ADD CONSTRAINT "api_key_callers_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_call_counts_hour" ON "api_key_call_counts" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_callers_hour" ON "api_key_callers" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_token_calls_account_hour" ON "api_key_token_calls" USING btree ("account_id","hour");--> statement-breakpoint
UPDATE "api_key_token_calls" SET "first_at" = "hour", "last_at" = "hour";--> statement-breakpoint
UPDATE "api_key_tokens" AS "old" SET "replaced_at" = (
	SELECT min("newer"."created_at") FROM "api_key_tokens" AS "newer"
	WHERE "newer"."account_id" = "old"."account_id" AND "newer"."api_key_id" = "old"."api_key_id" AND "newer"."id" > "old"."id"
) WHERE "valid_until" IS NOT NULL;--> statement-breakpoint
UPDATE "api_key_failed_calls" SET "reason" = CASE "reason"
	WHEN 'not_allowed' THEN 'forbidden' WHEN 'rate_limit' THEN 'key_limit'
	WHEN 'invalid' THEN 'invalid_request' WHEN 'failed' THEN 'internal_error' ELSE "reason" END;

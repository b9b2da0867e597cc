CREATE TABLE "api_key_failed_call_counts" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"reason" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"calls" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"last_address" text NOT NULL,
	CONSTRAINT "api_key_failed_call_counts_account_id_api_key_id_reason_hour_pk" PRIMARY KEY("account_id","api_key_id","reason","hour")
);
--> statement-breakpoint
CREATE TABLE "api_key_failed_calls" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "api_key_failed_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"request_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"route" text,
	"method" text NOT NULL,
	"status" integer NOT NULL,
	"reason" text NOT NULL,
	"address" text NOT NULL,
	"user_agent" text,
	CONSTRAINT "api_key_failed_calls_account_id_api_key_id_id_pk" PRIMARY KEY("account_id","api_key_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_key_failed_call_counts" ADD CONSTRAINT "api_key_failed_call_counts_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_failed_calls" ADD CONSTRAINT "api_key_failed_calls_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_failed_call_counts_hour" ON "api_key_failed_call_counts" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_failed_calls_request" ON "api_key_failed_calls" USING btree ("account_id","request_id");--> statement-breakpoint
CREATE INDEX "api_key_failed_calls_at" ON "api_key_failed_calls" USING btree ("at");
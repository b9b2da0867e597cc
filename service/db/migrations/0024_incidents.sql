CREATE TABLE "incident_keys" (
	"account_id" uuid NOT NULL,
	"incident_uuid" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"last_four" text NOT NULL,
	"result" text NOT NULL,
	"problem" text,
	"at" timestamp (3) with time zone,
	CONSTRAINT "incident_keys_account_id_incident_uuid_api_key_id_pk" PRIMARY KEY("account_id","incident_uuid","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"act" text NOT NULL,
	"grace_seconds" integer,
	"reason" text NOT NULL,
	"choice" jsonb NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"origin" jsonb NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"cancelled_by" jsonb,
	CONSTRAINT "incidents_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "incidents_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "api_key_token_addresses" (
	"account_id" uuid NOT NULL,
	"token_id" integer NOT NULL,
	"address" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_key_token_addresses_account_id_token_id_address_pk" PRIMARY KEY("account_id","token_id","address")
);
--> statement-breakpoint
CREATE TABLE "api_key_token_calls" (
	"account_id" uuid NOT NULL,
	"token_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "api_key_token_calls_account_id_token_id_hour_pk" PRIMARY KEY("account_id","token_id","hour")
);
--> statement-breakpoint
ALTER TABLE "incident_keys" ADD CONSTRAINT "incident_keys_incident_uuid_incidents_uuid_fk" FOREIGN KEY ("incident_uuid") REFERENCES "public"."incidents"("uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_keys" ADD CONSTRAINT "incident_keys_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_token_addresses" ADD CONSTRAINT "api_key_token_addresses_token_id_api_key_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_key_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_token_calls" ADD CONSTRAINT "api_key_token_calls_token_id_api_key_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_key_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incidents_listed" ON "incidents" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_running" ON "incidents" USING btree ("account_id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "api_key_token_addresses_used" ON "api_key_token_addresses" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "api_key_token_calls_hour" ON "api_key_token_calls" USING btree ("hour");
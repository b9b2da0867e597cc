CREATE TABLE "attempts" (
	"account_id" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"event_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"waited_ms" integer NOT NULL,
	"first_byte_ms" integer,
	"url" text NOT NULL,
	"status_code" integer,
	"error_kind" text,
	"error_message" text,
	"request_headers" jsonb NOT NULL,
	"response_headers" jsonb,
	"response_body" text,
	"is_response_truncated" boolean DEFAULT false NOT NULL,
	CONSTRAINT "attempts_webhook_id_event_id_id_pk" PRIMARY KEY("webhook_id","event_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"account_id" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"event_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"last_status_code" integer,
	"last_error" text,
	"replay_uuid" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_webhook_id_event_id_pk" PRIMARY KEY("webhook_id","event_id"),
	CONSTRAINT "deliveries_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "deliveries_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"webhook_id" integer PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"owner" uuid,
	"lease" bigint DEFAULT 0 NOT NULL,
	"is_dirty" boolean DEFAULT false NOT NULL,
	"is_paused" boolean DEFAULT false NOT NULL,
	"failure_count" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"warning_count" integer DEFAULT 0 NOT NULL,
	"last_triggered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "replays" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"status_filter" text NOT NULL,
	"state" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"cursor_event_id" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "replays_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "replays_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_time" ON "attempts" USING btree ("webhook_id","started_at");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("webhook_id","due_at","event_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "lanes_wake" ON "lanes" USING btree ("wake_at") WHERE wake_at is not null and not is_paused;--> statement-breakpoint
CREATE INDEX "lanes_failing" ON "lanes" USING btree ("failing_since") WHERE failing_since is not null;--> statement-breakpoint
CREATE INDEX "replays_running" ON "replays" USING btree ("created_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("created_at");--> statement-breakpoint
INSERT INTO "lanes" ("webhook_id", "account_id", "is_paused", "failure_count", "failing_since", "last_triggered_at") SELECT "id", "account_id", NOT "is_active", "failure_count", "failing_since", "last_triggered_at" FROM "webhooks";--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "failure_count";--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "failing_since";--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "last_triggered_at";--> statement-breakpoint
ALTER TABLE "lanes" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);--> statement-breakpoint
ALTER TABLE "deliveries" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

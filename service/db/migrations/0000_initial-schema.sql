CREATE TABLE "api_key_tokens" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_key_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"digest" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"valid_until" timestamp (3) with time zone,
	"first_used_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" text,
	"last_used_agent" text,
	"revealed_to" jsonb,
	"unconfirmed_since" timestamp (3) with time zone,
	"unconfirmed_mailed_at" timestamp (3) with time zone,
	"undo_token_id" integer,
	"replaced_unused_at" timestamp (3) with time zone,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_tokens_account_id_api_key_id_id_pk" PRIMARY KEY("account_id","api_key_id","id"),
	CONSTRAINT "api_key_tokens_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "api_key_replaced_tokens" (
	"account_id" uuid NOT NULL,
	"api_key_id" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"replaced_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_key_replaced_tokens_account_id_api_key_id_digest_pk" PRIMARY KEY("account_id","api_key_id","digest")
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
	"first_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"minutes" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "api_key_token_calls_account_id_token_id_hour_pk" PRIMARY KEY("account_id","token_id","hour")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"account_id" uuid NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"scopes" text[],
	"allowed_cidrs" text[] DEFAULT '{}' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoked_reason" text,
	"revoked_by" jsonb,
	"expiry_notices" integer DEFAULT 0 NOT NULL,
	"description" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"rate_limit_per_minute" integer,
	"responsible_id" text,
	"responsible_name" text,
	"may_rotate_itself" boolean DEFAULT false NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_by" jsonb,
	CONSTRAINT "api_keys_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "api_keys_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "api_keys_id" UNIQUE("id")
);
--> statement-breakpoint
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
CREATE TABLE "rotation_requests" (
	"account_id" uuid NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"api_key_id" integer,
	"requested_by_id" text NOT NULL,
	"member_id" text NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" jsonb,
	"mailed_at" timestamp (3) with time zone,
	"closed_because" text,
	"decline_reason" text,
	"decline_message" text,
	"owes_outcome" boolean DEFAULT false NOT NULL,
	"outcome_mailed_at" timestamp (3) with time zone,
	"outcome_mailed_to" text,
	"act" text NOT NULL,
	"webhook_id" integer,
	CONSTRAINT "rotation_requests_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "rotation_requests_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"account_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" jsonb NOT NULL,
	"action" text NOT NULL,
	"target" jsonb NOT NULL,
	"changes" jsonb,
	"ip" text,
	"user_agent" text,
	"request_id" text,
	"sequence" bigint,
	"hash" "bytea",
	"added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "audit_entries_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"checkpoint_sequence" bigint NOT NULL,
	"checkpoint_hash" "bytea" NOT NULL,
	"broken_at" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"account_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"subject" text NOT NULL,
	"contact" text,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"api_key_id" integer,
	"last_sequence" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "conversations_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "conversations_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "conversations_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"account_id" uuid NOT NULL,
	"conversation_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"api_key_id" integer,
	"sequence" bigint,
	CONSTRAINT "messages_account_id_conversation_id_id_pk" PRIMARY KEY("account_id","conversation_id","id"),
	CONSTRAINT "messages_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "messages_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "idempotent_answers" (
	"account_id" uuid NOT NULL,
	"caller" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"request_digest" "bytea" NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotent_answers_account_id_caller_route_key_pk" PRIMARY KEY("account_id","caller","route","key")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"roles" text[] NOT NULL,
	"version" text NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repairs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "repairs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"webhooks" integer NOT NULL,
	"deliveries" integer
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"support_tokens" text DEFAULT 'within_role' NOT NULL,
	"support_payloads" boolean DEFAULT false NOT NULL,
	"max_keys" integer,
	"max_webhooks" integer,
	"second_factor_required_from" timestamp (3) with time zone,
	"session_hours" integer DEFAULT 168 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"allows_installation_support" boolean DEFAULT true NOT NULL,
	"installation_support_tokens" text DEFAULT 'within_role' NOT NULL,
	"installation_support_payloads" boolean DEFAULT false NOT NULL,
	"support_error_texts" boolean DEFAULT false NOT NULL,
	"installation_support_error_texts" boolean DEFAULT false NOT NULL,
	"provisioner_id" uuid
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"person_id" text PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"email" text PRIMARY KEY NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "password_resets_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
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
CREATE TABLE "members" (
	"account_id" uuid NOT NULL,
	"person_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"last_seen_agent" text,
	CONSTRAINT "members_account_id_person_id_pk" PRIMARY KEY("account_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "sent_notices" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"occasion" text NOT NULL,
	"person_id" text NOT NULL,
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"mail" jsonb,
	"tries" integer NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"undeliverable_since" timestamp (3) with time zone,
	"refusal" jsonb,
	CONSTRAINT "sent_notices_account_id_kind_subject_id_occasion_person_id_pk" PRIMARY KEY("account_id","kind","subject_id","occasion","person_id"),
	CONSTRAINT "sent_notices_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
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
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_unverified" boolean DEFAULT false NOT NULL,
	"turned_off_mails" text[] DEFAULT '{}' NOT NULL,
	"failed_sign_ins_recorded_at" timestamp (3) with time zone,
	CONSTRAINT "people_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "set_up_tokens" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "authenticator_apps" (
	"person_id" text PRIMARY KEY NOT NULL,
	"uuid" uuid NOT NULL,
	"sealed_secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "authenticator_apps_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_synced" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ins" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"digest" "bytea" NOT NULL,
	"person_id" text NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"proved_at" timestamp (3) with time zone NOT NULL,
	"chosen_account_id" uuid,
	"previous_valid_until" timestamp (3) with time zone,
	"wrong_proofs" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sessions_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "desk_searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "desk_searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"person" jsonb NOT NULL,
	"search" text,
	"found" jsonb NOT NULL,
	"ip" text,
	"user_agent" text,
	"request_id" text
);
--> statement-breakpoint
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
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "support_visits_account_id_uuid_pk" PRIMARY KEY("account_id","uuid")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
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
	"internal_errors" integer DEFAULT 0 NOT NULL,
	"added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"is_requested" boolean DEFAULT false NOT NULL,
	"scheduled_at" timestamp (3) with time zone,
	"filter_error" text,
	CONSTRAINT "deliveries_webhook_id_event_id_pk" PRIMARY KEY("webhook_id","event_id"),
	CONSTRAINT "deliveries_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "deliveries_id" UNIQUE("webhook_id","id")
);
--> statement-breakpoint
CREATE TABLE "event_streams" (
	"account_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"uuid" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_streams_account_id_number_pk" PRIMARY KEY("account_id","number")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"account_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"type" text NOT NULL,
	"conversation_id" bigint,
	"payload" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"about_webhook_id" integer,
	"added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"filtered_out" jsonb,
	"trace_parent" text,
	CONSTRAINT "events_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "events_uuid_unique" UNIQUE("uuid")
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
	"last_triggered_at" timestamp (3) with time zone,
	"failing_announced_for" timestamp (3) with time zone,
	"recovered_at" timestamp (3) with time zone,
	"is_for_tests" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"owner" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"beats_at" timestamp with time zone NOT NULL,
	"steady_since" timestamp with time zone NOT NULL
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
	"awaited_writers" text[],
	"sends_pending" boolean DEFAULT false NOT NULL,
	"sends_earlier" boolean DEFAULT false NOT NULL,
	"inactive_since" timestamp (3) with time zone,
	CONSTRAINT "replays_account_id_uuid_pk" PRIMARY KEY("account_id","uuid"),
	CONSTRAINT "replays_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "webhook_headers" (
	"account_id" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"uuid" uuid NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "webhook_headers_account_id_webhook_id_pk" PRIMARY KEY("account_id","webhook_id"),
	CONSTRAINT "webhook_headers_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"account_id" uuid NOT NULL,
	"webhook_id" integer NOT NULL,
	"uuid" uuid NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone,
	"revealed_to" jsonb,
	"unconfirmed_since" timestamp (3) with time zone,
	"unconfirmed_mailed_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_secrets_account_id_webhook_id_uuid_pk" PRIMARY KEY("account_id","webhook_id","uuid")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"account_id" uuid NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"is_active" boolean NOT NULL,
	"inactive_since" timestamp (3) with time zone,
	"inactive_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"all_events" boolean DEFAULT false NOT NULL,
	"header_names" text[] DEFAULT '{}' NOT NULL,
	"max_per_second" integer,
	"contact_email" text,
	"contact_confirmed_at" timestamp (3) with time zone,
	"contact_link_digest" "bytea",
	"contact_link_expires_at" timestamp (3) with time zone,
	"contact_told" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"filter" jsonb,
	"created_by" jsonb,
	CONSTRAINT "webhooks_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "webhooks_uuid_unique" UNIQUE("uuid"),
	CONSTRAINT "webhooks_contact_link_digest_unique" UNIQUE("contact_link_digest"),
	CONSTRAINT "webhooks_id" UNIQUE("id")
);
--> statement-breakpoint
ALTER TABLE "api_key_tokens" ADD CONSTRAINT "api_key_tokens_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_replaced_tokens" ADD CONSTRAINT "api_key_replaced_tokens_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_token_addresses" ADD CONSTRAINT "api_key_token_addresses_token_id_api_key_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_key_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_token_calls" ADD CONSTRAINT "api_key_token_calls_token_id_api_key_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_key_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_call_counts" ADD CONSTRAINT "api_key_call_counts_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_callers" ADD CONSTRAINT "api_key_callers_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_failed_calls" ADD CONSTRAINT "api_key_failed_calls_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_keys" ADD CONSTRAINT "incident_keys_incident_uuid_incidents_uuid_fk" FOREIGN KEY ("incident_uuid") REFERENCES "public"."incidents"("uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_keys" ADD CONSTRAINT "incident_keys_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_requested_by_id_people_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD CONSTRAINT "rotation_requests_member_id_people_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation" FOREIGN KEY ("account_id","conversation_id") REFERENCES "public"."conversations"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD CONSTRAINT "idempotent_answers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_provisioner_id_provisioners_id_fk" FOREIGN KEY ("provisioner_id") REFERENCES "public"."provisioners"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_people_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_notices" ADD CONSTRAINT "sent_notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_notices" ADD CONSTRAINT "sent_notices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticator_apps" ADD CONSTRAINT "authenticator_apps_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_chosen_account_id_accounts_id_fk" FOREIGN KEY ("chosen_account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installation_support" ADD CONSTRAINT "installation_support_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visits" ADD CONSTRAINT "support_visits_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_streams" ADD CONSTRAINT "event_streams_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_headers" ADD CONSTRAINT "webhook_headers_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_tokens_digest" ON "api_key_tokens" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "api_key_tokens_last_four" ON "api_key_tokens" USING btree (lower("last_four"));--> statement-breakpoint
CREATE INDEX "api_key_tokens_unconfirmed" ON "api_key_tokens" USING btree ("unconfirmed_since") WHERE unconfirmed_since is not null and unconfirmed_mailed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_replaced_tokens_digest" ON "api_key_replaced_tokens" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "api_key_token_addresses_used" ON "api_key_token_addresses" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "api_key_token_calls_hour" ON "api_key_token_calls" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_token_calls_account_hour" ON "api_key_token_calls" USING btree ("account_id","hour");--> statement-breakpoint
CREATE INDEX "api_keys_name" ON "api_keys" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "api_keys_expiring" ON "api_keys" USING btree ("expires_at","id") WHERE revoked_at is null and expires_at is not null and expiry_notices < 3;--> statement-breakpoint
CREATE INDEX "api_keys_revoked" ON "api_keys" USING btree ("account_id","revoked_at","id") WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX "api_keys_not_revoked" ON "api_keys" USING btree ("account_id","expires_at","id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "api_key_call_counts_hour" ON "api_key_call_counts" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_callers_hour" ON "api_key_callers" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "api_key_failed_calls_request" ON "api_key_failed_calls" USING btree ("account_id","request_id");--> statement-breakpoint
CREATE INDEX "api_key_failed_calls_at" ON "api_key_failed_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "incidents_listed" ON "incidents" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_running" ON "incidents" USING btree ("account_id") WHERE state = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_planned" ON "rotation_requests" USING btree ("account_id","api_key_id") WHERE state = 'open' and reason <> 'leaked';--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_leaks" ON "rotation_requests" USING btree ("account_id","api_key_id","requested_by_id") WHERE state = 'open' and reason = 'leaked';--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_webhook_acts" ON "rotation_requests" USING btree ("account_id","webhook_id","act") WHERE state = 'open' and reason <> 'leaked';--> statement-breakpoint
CREATE UNIQUE INDEX "rotation_requests_open_secret_leaks" ON "rotation_requests" USING btree ("account_id","webhook_id","requested_by_id") WHERE state = 'open' and reason = 'leaked';--> statement-breakpoint
CREATE INDEX "rotation_requests_listed" ON "rotation_requests" USING btree ("account_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_unanswered" ON "rotation_requests" USING btree ("created_at") WHERE state = 'open' and reason <> 'leaked';--> statement-breakpoint
CREATE INDEX "rotation_requests_leaks" ON "rotation_requests" USING btree ("created_at") WHERE state in ('open', 'expired') and reason = 'leaked';--> statement-breakpoint
CREATE INDEX "rotation_requests_requester" ON "rotation_requests" USING btree ("requested_by_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_member" ON "rotation_requests" USING btree ("member_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_owing" ON "rotation_requests" USING btree ("account_id") WHERE owes_outcome;--> statement-breakpoint
CREATE INDEX "rotation_requests_mailed" ON "rotation_requests" USING btree ("account_id","api_key_id","member_id","mailed_at") WHERE mailed_at is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_added" ON "audit_entries" USING btree ("account_id","added_by","id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_sequence" ON "audit_entries" USING btree ("account_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("account_id",(actor ->> 'id'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_actor_kind" ON "audit_entries" USING btree ("account_id",(actor ->> 'kind'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("account_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_entries_action_group" ON "audit_entries" USING btree ("account_id",split_part(action, '.', 1),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_target" ON "audit_entries" USING btree ("account_id",(target ->> 'id'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("account_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_unchained" ON "audit_entries" USING btree ("account_id","id") WHERE sequence is null;--> statement-breakpoint
CREATE INDEX "conversations_status" ON "conversations" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("account_id","contact","id");--> statement-breakpoint
CREATE INDEX "conversations_age" ON "conversations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_added" ON "messages" USING btree ("conversation_id","added_by","id");--> statement-breakpoint
CREATE INDEX "idempotent_answers_age" ON "idempotent_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "repairs_at" ON "repairs" USING btree ("at");--> statement-breakpoint
CREATE INDEX "accounts_name" ON "accounts" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "accounts_provisioner" ON "accounts" USING btree ("provisioner_id") WHERE "accounts"."provisioner_id" is not null;--> statement-breakpoint
CREATE INDEX "members_person" ON "members" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sent_notices_person" ON "sent_notices" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sent_notices_due" ON "sent_notices" USING btree ("next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "sent_notices_undeliverable" ON "sent_notices" USING btree ("undeliverable_since") WHERE undeliverable_since is not null;--> statement-breakpoint
CREATE INDEX "email_changes_person" ON "email_changes" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "email_changes_old_email" ON "email_changes" USING btree ("old_email");--> statement-breakpoint
CREATE INDEX "passkey_challenges_person" ON "passkey_challenges" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "passkeys_person" ON "passkeys" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_person" ON "recovery_codes" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_person" ON "pending_sign_ins" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sessions_person" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "desk_searches_at" ON "desk_searches" USING btree ("at");--> statement-breakpoint
CREATE INDEX "desk_searches_person" ON "desk_searches" USING btree ((person ->> 'id'),"id");--> statement-breakpoint
CREATE INDEX "support_visits_person" ON "support_visits" USING btree ("person_id","account_id");--> statement-breakpoint
CREATE INDEX "support_visits_session" ON "support_visits" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "attempts_time" ON "attempts" USING btree ("webhook_id","started_at");--> statement-breakpoint
CREATE INDEX "deliveries_added" ON "deliveries" USING btree ("webhook_id","added_by","id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("webhook_id","due_at","event_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_tests_due" ON "deliveries" USING btree ("webhook_id","due_at") WHERE status = 'pending' and event_type = 'webhook.test';--> statement-breakpoint
CREATE INDEX "deliveries_time" ON "deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_retried" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE attempt_count > 1 or (attempt_count = 1 and status <> 'delivered');--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_given_up" ON "deliveries" USING btree ("webhook_id","event_id") WHERE status in ('failed', 'cancelled');--> statement-breakpoint
CREATE INDEX "deliveries_refused" ON "deliveries" USING btree ("webhook_id","last_status_code","created_at","id") WHERE last_status_code >= 300;--> statement-breakpoint
CREATE INDEX "deliveries_replayed" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE replay_uuid is not null;--> statement-breakpoint
CREATE INDEX "deliveries_waiting_of_replay" ON "deliveries" USING btree ("replay_uuid") WHERE status = 'pending' and replay_uuid is not null;--> statement-breakpoint
CREATE INDEX "events_added" ON "events" USING btree ("account_id","added_by","id");--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_conversation" ON "events" USING btree ("account_id","conversation_id","id") WHERE conversation_id is not null;--> statement-breakpoint
CREATE INDEX "events_type_of_few" ON "events" USING btree ("account_id","type","id") WHERE conversation_id is null;--> statement-breakpoint
CREATE INDEX "lanes_wake" ON "lanes" USING btree ("wake_at") WHERE wake_at is not null and not is_paused;--> statement-breakpoint
CREATE INDEX "lanes_failing" ON "lanes" USING btree ("failing_since") WHERE failing_since is not null;--> statement-breakpoint
CREATE INDEX "lanes_recovered" ON "lanes" USING btree ("recovered_at") WHERE recovered_at is not null;--> statement-breakpoint
CREATE INDEX "lanes_failing_unannounced" ON "lanes" USING btree ("failing_since") WHERE failing_since is distinct from failing_announced_for and failing_since is not null;--> statement-breakpoint
CREATE INDEX "replays_running" ON "replays" USING btree ("created_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "replays_cancelling" ON "replays" USING btree ("uuid") WHERE state = 'cancelled' and finished_at is null;--> statement-breakpoint
CREATE INDEX "webhook_secrets_unconfirmed" ON "webhook_secrets" USING btree ("unconfirmed_since") WHERE unconfirmed_since is not null and unconfirmed_mailed_at is null;--> statement-breakpoint
CREATE INDEX "webhooks_filtered" ON "webhooks" USING btree ("account_id") WHERE filter is not null;--> statement-breakpoint
CREATE INDEX "webhooks_deactivated" ON "webhooks" USING btree ("inactive_since") WHERE not is_active and inactive_reason not in ('setup', 'paused');--> statement-breakpoint
-- What follows is written by hand: drizzle-kit does not know storage parameters, functions and triggers.
ALTER TABLE "lanes" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);--> statement-breakpoint
ALTER TABLE "deliveries" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
-- An entry never changes. Only retention removes entries, which says that it moves the checkpoint.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('conversation_service.retention', true) = 'checkpoint' THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'audit entries are append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
CREATE TRIGGER "audit_entries_no_truncate" BEFORE TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
-- As with audit entries, nothing but retention removes a row.
CREATE FUNCTION "refuse_desk_search_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('conversation_service.retention', true) = 'checkpoint' THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'the record of desk searches is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "desk_searches_append_only" BEFORE UPDATE OR DELETE ON "desk_searches" FOR EACH ROW EXECUTE FUNCTION "refuse_desk_search_change"();
--> statement-breakpoint
CREATE TRIGGER "desk_searches_no_truncate" BEFORE TRUNCATE ON "desk_searches" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_desk_search_change"();

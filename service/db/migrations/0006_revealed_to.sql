ALTER TABLE "api_key_tokens" ADD COLUMN "revealed_to" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "revealed_to" jsonb;--> statement-breakpoint
-- A token was shown to whoever made it, but for the ones that an operator chose.
UPDATE "api_key_tokens" SET "revealed_to" = "created_by" WHERE "created_by"->>'kind' <> 'system';--> statement-breakpoint
-- A secret was always shown; to whom, the audit log says, as far as it is kept.
UPDATE "webhook_secrets" SET "revealed_to" = "audit_entries"."actor"
FROM "webhooks", "audit_entries"
WHERE "webhooks"."id" = "webhook_secrets"."webhook_id"
	AND "audit_entries"."account_id" = "webhook_secrets"."account_id"
	AND "audit_entries"."action" = 'webhook.secret_regenerated'
	AND "audit_entries"."target"->>'id' = "webhooks"."uuid"::text
	AND "audit_entries"."at" = "webhook_secrets"."created_at";--> statement-breakpoint
UPDATE "webhook_secrets" SET "revealed_to" = '{"kind":"system","id":null,"name":"Unknown"}' WHERE "revealed_to" IS NULL;

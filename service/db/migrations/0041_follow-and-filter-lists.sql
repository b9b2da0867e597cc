ALTER TABLE "audit_entries" ADD COLUMN "added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "added_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_added" ON "audit_entries" USING btree ("account_id","added_by","id");--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("account_id","contact","id");--> statement-breakpoint
CREATE INDEX "conversations_age" ON "conversations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_added" ON "messages" USING btree ("conversation_id","added_by","id");--> statement-breakpoint
CREATE INDEX "deliveries_added" ON "deliveries" USING btree ("webhook_id","added_by","id");--> statement-breakpoint
CREATE INDEX "events_added" ON "events" USING btree ("account_id","added_by","id");
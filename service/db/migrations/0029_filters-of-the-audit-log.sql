CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("account_id",(actor ->> 'id'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_actor_kind" ON "audit_entries" USING btree ("account_id",(actor ->> 'kind'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("account_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_entries_action_group" ON "audit_entries" USING btree ("account_id",split_part(action, '.', 1),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_target" ON "audit_entries" USING btree ("account_id",(target ->> 'id'),"id");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("account_id","at","id");
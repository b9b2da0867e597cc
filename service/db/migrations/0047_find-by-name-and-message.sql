CREATE INDEX "api_keys_name" ON "api_keys" USING btree (lower("name"),"id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_id" UNIQUE("id");
ALTER TABLE "rotation_requests" ADD COLUMN "mailed_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "rotation_requests" SET "mailed_at" = "created_at";--> statement-breakpoint
CREATE INDEX "rotation_requests_mailed" ON "rotation_requests" USING btree ("account_id","api_key_id","member_id","mailed_at") WHERE mailed_at is not null;
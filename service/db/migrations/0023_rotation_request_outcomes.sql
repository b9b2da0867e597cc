ALTER TABLE "rotation_requests" ADD COLUMN "closed_because" text;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "decline_reason" text;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "decline_message" text;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "owes_outcome" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "outcome_mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "rotation_requests" ADD COLUMN "outcome_mailed_to" text;--> statement-breakpoint
CREATE INDEX "rotation_requests_listed" ON "rotation_requests" USING btree ("account_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_requester" ON "rotation_requests" USING btree ("requested_by_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_member" ON "rotation_requests" USING btree ("member_id","created_at","uuid");--> statement-breakpoint
CREATE INDEX "rotation_requests_owing" ON "rotation_requests" USING btree ("account_id") WHERE owes_outcome;
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_id";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_id" UNIQUE("webhook_id","id");
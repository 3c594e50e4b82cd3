DROP INDEX "threads_room";--> statement-breakpoint
CREATE INDEX "threads_room" ON "threads" USING btree ("room_id");--> statement-breakpoint
-- Room on each page for the next version of a row, since both are changed by every reply.
ALTER TABLE "threads" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "thread_follows" SET (fillfactor = 70);

/**
 * The anchor of REST: Elysia that answers `/n` after n prepared one-row selects by the service's own
 * driver and pool size. Takes a DATABASE_URL as its argument and prints its port.
 */
import { Elysia } from "elysia";
import { connectDatabase } from "../../src/database/connect.ts";

const { sql } = connectDatabase(process.argv[2] ?? "", 10);
const id = Bun.randomUUIDv7();
const app = new Elysia().get("/:n", async ({ params }) => {
  for (let i = 0; i < Number(params.n); i++) {
    await sql`select id, username, display_name from users where id = ${id}`;
  }
  return "hello";
});
app.listen({ port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));

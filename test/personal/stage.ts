import { World } from "../support/world.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";

/** A room of an owner with Ada and Ben in it, and somebody who is nowhere. */
export type Stage = {
  world: World;
  owner: Client;
  ada: Client;
  ben: Client;
  outsider: Client;
  roomId: string;
  /** One more room of the three. */
  newRoom(): Promise<{ id: string; name: string }>;
};

export async function setStage(): Promise<Stage> {
  const world = await World.start();
  const [owner, ada, ben, outsider] = (await Promise.all(
    ["owner", "ada", "ben", "outsider"].map((name) => world.person(name)),
  )) as [Client, Client, Client, Client];
  let rooms = 0;
  const newRoom = async () => {
    const name = `room-${rooms++}`;
    return { id: await world.room(name, owner, [ada, ben]), name };
  };
  return { world, owner, ada, ben, outsider, newRoom, roomId: (await newRoom()).id };
}

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Lets the time come that jobs of a kind wait for: they are due now. */
export async function makeDue({ database: { sql } }: World, kind: string): Promise<void> {
  await sql`with due as (
      update jobs set run_at = clock_timestamp() - interval '1 second'
      where kind = ${kind} and failed_at is null returning id
    ) select pg_notify('snug_jobs', '') from due`;
}

/** Moves the times of what is planned by this many minutes into the past, and lets them come. */
export async function passTime(world: World, minutes = 10): Promise<void> {
  const { sql } = world.database;
  await sql`update scheduled_messages set send_at = send_at - ${minutes} * interval '1 minute'
    where state = 'waiting'`;
  await sql`update saved_messages set remind_at = remind_at - ${minutes} * interval '1 minute'
    where reminded_at is null`;
  await makeDue(world, "send_scheduled");
  await makeDue(world, "remind");
}

/** Waits until no job of a kind is due. */
export async function untilDone({ database: { sql } }: World, kind: string): Promise<void> {
  await eventually(async () => {
    const due = await sql`select from jobs
      where kind = ${kind} and failed_at is null and (run_at <= clock_timestamp() or locked_by is not null)`;
    return due.count === 0;
  });
}

export type Team = {
  /** Connected at a time. */
  people: number;
  /** Of each of them. */
  messagesAnHour: number;
  /** Connected members of a message's room. */
  receivers: number;
  instances: number;
  postgresCores: number;
};

/** What docs/development/performance.md has measured; of a range, the worse end. */
const COST = {
  /** CPU of the service to accept one, in seconds: 64 in flight over sockets. */
  accept: 71e-6,
  /** CPU of PostgreSQL for the same. */
  store: 90e-6,
  /** CPU of PostgreSQL that a further instance adds to each message, at few messages a commit. */
  further: 136e-6,
  /** CPU of the service for a delivery: 50 messages a second to 1,000. */
  delivery: 1e-5,
  /** Memory of a connection in twenty rooms, in bytes, and of a process without any. */
  connection: 7.19 * 1_024,
  process: 108e6,
  /** Messages in one commit with 64 in flight. */
  batch: 31,
  /** CPU of all until one person is back: 10,000 in 3.21 seconds of two cores. */
  storm: (3.21 * 2) / 10_000,
};
/** Memory of an instance that an operator would give it, in bytes. */
const MEMORY = 1e9;
/** DATABASE_POOL and the connection that listens. */
const CONNECTIONS = 21;
/** Of a large PostgreSQL without a pooler. */
const MAX_CONNECTIONS = 500;
/** How long people wait at most until all are back after a restart of everything. */
const STORM_SECONDS = 30;

export type Part = {
  name: string;
  needs: number;
  has: number;
  unit: string;
  /** At how many people it is full, all else alike. */
  people: number;
};

/**
 * @param commits a second that PostgreSQL takes with a notification in each
 * @returns messages a second, and the parts, the first to be full first
 */
export function computeScale(team: Team, commits: number): { rate: number; parts: Part[] } {
  const { people, receivers, instances, postgresCores } = team;
  const rate = (people * team.messagesAnHour) / 3_600;
  const part = (name: string, needs: number, has: number, unit: string, fixed = 0): Part => {
    const each = (needs - fixed) / people;
    return { name, needs, has, unit, people: each > 0 ? (has - fixed) / each : Infinity };
  };
  const deliveries = rate * receivers;
  const service = (rate * COST.accept + deliveries * COST.delivery) / instances;
  const store = rate * (COST.store + (instances - 1) * COST.further);
  const memory = COST.process + (people / instances) * COST.connection;
  const storm = people * COST.storm;
  const cores = instances + postgresCores;
  const slots = instances * CONNECTIONS;
  const parts = [
    part("an instance's core", service, 1, "cores"),
    part("an instance's memory", memory / 1e9, MEMORY / 1e9, "GB", COST.process / 1e9),
    part("PostgreSQL's cores", store, postgresCores, "cores"),
    part("PostgreSQL's commits, one message in each", rate, commits, "a second"),
    part(`PostgreSQL's commits, ${COST.batch} in each`, rate / COST.batch, commits, "a second"),
    part("PostgreSQL's connections", slots, MAX_CONNECTIONS, "", slots),
    part(`everyone back in ${STORM_SECONDS} s`, storm, STORM_SECONDS * cores, "seconds of a core"),
  ];
  return { rate, parts: parts.sort((a, b) => a.people - b.people) };
}

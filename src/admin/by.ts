/** Which administrator acts, and from where: what every row of the audit log begins with. */
export type By = { actorId: string; ip: string };

import { changeMail, changeUploadLimit, removeMail } from "../admin/settings.ts";
import { changeLogo, changeTeam } from "../admin/team.ts";
import { storeSquares } from "../avatars/avatars.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf } from "../config.ts";
import { withDatabase } from "../database/open.ts";
import { createMailer } from "../email/mailer.ts";
import { readSmtpSettings } from "../email/settings.ts";
import { Refusal } from "../platform/refusal.ts";
import { openStore } from "../platform/storage/open.ts";
import { readSiteName, readTeam } from "../team/read.ts";
import { readUploadLimit } from "../uploads/limit.ts";
import type { Security, SmtpSettings } from "../wire/admin.ts";
import { MAIL_PORTS } from "../wire/limits.ts";
import { EMAIL_PATTERN } from "../wire/patterns.ts";
import { formatSize } from "../wire/files.ts";
import {
  type Command,
  firstArg,
  formatTable,
  inDatabase,
  inTransaction,
  parseCount,
  type Result,
  textOf,
  UsageError,
} from "./command.ts";
import { readKeyOf } from "./secrets.ts";

const mailShow: Command = {
  name: "mail show",
  summary: "show the mail server, and whether mail can be sent",
  effect: "read",
  run: inDatabase(async ({ db }) => describeMail(await readSmtpSettings(db))),
};

const mailSet: Command = {
  name: "mail set",
  summary: "set the mail server; a sign-in that is not given is kept for the same host",
  effect: "audited",
  options: {
    host: { value: "<host>", required: true, help: "the mail server's name or address" },
    from: {
      value: "<address>",
      required: true,
      help: "the sender, such as Snug <snug@example.org>",
    },
    port: {
      value: "<port>",
      help: `${MAIL_PORTS.starttls} by default, ${MAIL_PORTS.tls} with --security tls`,
    },
    security: { value: "<none|starttls|tls>", help: "starttls by default" },
    username: { value: "<name>", help: "to sign in with" },
    "password-stdin": { help: "read the password from standard input; an empty one removes it" },
  },
  async run(call) {
    const { host, from } = call.options;
    const security = (call.options.security ?? "starttls") as Security;
    const port = parseCount("--port", String(call.options.port ?? MAIL_PORTS[security]), 1, 65_535);
    if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(String(host))) {
      throw new UsageError("--host is the name or address of a mail server.");
    }
    const password = call.options["password-stdin"] ? await call.readPassword() : undefined;
    return withDatabase(call.config, async ({ db }) => {
      const settings = await readSmtpSettings(db);
      const isElsewhere = settings.host !== null && settings.host !== host;
      const keptName = isElsewhere ? null : settings.username;
      const params = {
        host: String(host),
        port,
        security,
        from: String(from),
        username: textOf(call, "username") ?? keptName,
        // A stored password must not be sent to another server.
        ...(password === undefined && isElsewhere ? { password: null } : { password }),
      };
      return describeMail(
        await db.transaction((tx) => changeMail(tx, COMMAND_LINE, readKeyOf(call.config), params)),
      );
    });
  },
};

const mailRemove: Command = {
  name: "mail remove",
  summary: "remove the mail server: nothing is mailed any more",
  effect: "audited",
  run: inTransaction(async (tx) => {
    const removed = await removeMail(tx, COMMAND_LINE);
    return { json: { removed }, text: removed ? "Mail is off." : "Mail was off already." };
  }),
};

const mailTest: Command = {
  name: "mail test",
  args: ["<address>"],
  summary: "send a test mail and show the mail server's answer",
  effect: "operate",
  run: inDatabase(async ({ db }, call) => {
    const to = firstArg(call);
    if (!new RegExp(EMAIL_PATTERN).test(to)) {
      throw new Refusal("validation", `${to} is not an email address.`);
    }
    const mailer = createMailer(db, readKeyOf(call.config));
    await mailer.sendTest(to, await readSiteName(db, baseUrlOf(call.config)));
    return { json: { to }, text: `The mail server accepted a test mail to ${to}.` };
  }),
};

const teamShow: Command = {
  name: "team show",
  summary: "show the team's name",
  effect: "read",
  run: inDatabase(async ({ db }) => {
    const team = await readTeam(db);
    return { json: team, text: team.name ?? "The team has no name." };
  }),
};

const teamName: Command = {
  name: "team name",
  args: ["<name>"],
  summary: "name the team",
  effect: "audited",
  run: inTransaction(async (tx, call) => {
    const team = await changeTeam(tx, COMMAND_LINE, { name: firstArg(call) });
    return { json: team, text: `The team is called ${team.name}.` };
  }),
};

const teamLogo: Command = {
  name: "team logo",
  args: ["<file>"],
  summary: "set the team's logo to the middle square of a picture",
  effect: "audited",
  async run(call) {
    const file = firstArg(call);
    if (!(await Bun.file(file).exists()))
      throw new Refusal("not_found", `There is no file ${file}.`);
    // In a folder other than the service's, the picture would be stored where the service does not find it.
    await readKeyOf(call.config)();
    return withDatabase(call.config, async ({ db }) => {
      const squares = await storeSquares(db, openStore(call.config), file);
      const team = await db.transaction((tx) => changeLogo(tx, COMMAND_LINE, squares));
      return { json: team, text: "The team has a new logo." };
    });
  },
};

const teamRemoveLogo: Command = {
  name: "team remove-logo",
  summary: "remove the team's logo",
  effect: "audited",
  run: inTransaction(async (tx) => {
    const team = await changeLogo(tx, COMMAND_LINE, []);
    return { json: team, text: "The team has no logo." };
  }),
};

const uploadsShow: Command = {
  name: "uploads show",
  summary: "show how large an upload may be",
  effect: "read",
  run: inDatabase(async ({ db }) => describeUploads(await readUploadLimit(db))),
};

const uploadsLimit: Command = {
  name: "uploads limit",
  args: ["<megabytes>"],
  summary: "set how large an upload may be",
  effect: "audited",
  run: (call) => {
    // The API also accepts limits that are not a whole number of megabytes.
    if (!/^\d+(\.\d+)?$/.test(firstArg(call))) {
      throw new UsageError("uploads limit needs a number of megabytes, such as 100 or 0.5.");
    }
    return withDatabase(call.config, async ({ db }) => {
      const maxBytes = Math.round(Number(firstArg(call)) * 1_048_576);
      await db.transaction((tx) => changeUploadLimit(tx, COMMAND_LINE, maxBytes));
      return describeUploads(maxBytes);
    });
  },
};

export const settingsCommands: Command[] = [
  ...[mailShow, mailSet, mailRemove, mailTest],
  ...[teamShow, teamName, teamLogo, teamRemoveLogo],
  ...[uploadsShow, uploadsLimit],
];

function describeUploads(max_bytes: number): Result {
  return { json: { max_bytes }, text: `An upload may have ${formatSize(max_bytes)}.` };
}

function describeMail(settings: SmtpSettings): Result {
  const { host, port, security, username, from, has_password, failure } = settings;
  if (host === null) return { json: settings, text: "Mail is off: set it with mail set." };
  const signIn =
    username === null ? "none" : `${username}, ${has_password ? "with" : "without"} a password`;
  const rows = [
    ["server", `${host}:${port} (${security})`],
    ["sender", from ?? ""],
    ["sign-in", signIn],
    ...(failure ? [["failing", `since ${failure.since}: ${failure.error}`]] : []),
  ];
  return { json: settings, text: formatTable(rows) };
}

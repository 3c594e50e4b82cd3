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
import { readSignInSettings, setSecondFactorPolicy } from "../sign-in/settings.ts";
import type { SecondFactorPolicy } from "../wire/providers.ts";
import type { Drizzle } from "../database/connect.ts";
import { listAllRooms } from "../rooms/read.ts";
import { readDefaultSections, saveDefaultSections } from "../sections/sections.ts";
import type { Section, Sections } from "../wire/sections.ts";
import {
  type Command,
  createRoomFinder,
  fieldsResult,
  formatTable,
  inDatabase,
  inTransaction,
  parseCount,
  type Result,
  textOf,
  UsageError,
} from "./command.ts";
import { readKeyOf } from "./secrets.ts";

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

/** @throws Refusal `room_not_found` for a name that no room has */
async function parseSections(db: Drizzle, text: string): Promise<Section[]> {
  const findRoomId = await createRoomFinder(db);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    // Names of sections can contain colons, names of rooms cannot.
    const colon = line.lastIndexOf(":");
    const names = colon === -1 ? [] : line.slice(colon + 1).split(",");
    return {
      id: Bun.randomUUIDv7(),
      name: colon === -1 ? line : line.slice(0, colon),
      is_collapsed: false,
      room_ids: names.filter((name) => name.trim() !== "").map(findRoomId),
    };
  });
}

/** In the form that `sections set` reads. */
async function describeSections(db: Drizzle, sections: Sections): Promise<Result> {
  const rooms = await listAllRooms(db);
  const namesById = new Map(rooms.map(({ id, name }) => [id, name]));
  const lines = sections.sections.map(({ name, room_ids }) => {
    const roomNames = room_ids.map((id) => `#${namesById.get(id)}`);
    return `${name}: ${roomNames.join(", ")}`.trim();
  });
  return { json: sections, text: lines.join("\n") || "New accounts start without sections." };
}

export const settingsCommands: Command[] = [
  {
    name: "mail show",
    summary: "show the mail server, and whether mail can be sent",
    effect: "read",
    run: inDatabase(async ({ db }) => describeMail(await readSmtpSettings(db))),
  },
  {
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
      const port = parseCount(
        "--port",
        String(call.options.port ?? MAIL_PORTS[security]),
        1,
        65_535,
      );
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
          await db.transaction((tx) =>
            changeMail(tx, COMMAND_LINE, readKeyOf(call.config), params),
          ),
        );
      });
    },
  },
  {
    name: "mail remove",
    summary: "remove the mail server: nothing is mailed any more",
    effect: "audited",
    run: inTransaction(async (tx) => {
      const wasOn = await removeMail(tx, COMMAND_LINE);
      return { json: { removed: wasOn }, text: wasOn ? "Mail is off." : "Mail was off already." };
    }),
  },
  {
    name: "mail test",
    args: ["<address>"],
    summary: "send a test mail and show the mail server's response",
    effect: "operate",
    run: inDatabase(async ({ db }, call) => {
      const to = call.arg;
      if (!new RegExp(EMAIL_PATTERN).test(to)) {
        throw new Refusal("validation", `${to} is not an email address.`);
      }
      const mailer = createMailer(db, readKeyOf(call.config));
      await mailer.sendTest(to, await readSiteName(db, baseUrlOf(call.config)));
      return { json: { to }, text: `The mail server accepted a test mail to ${to}.` };
    }),
  },
  {
    name: "team show",
    summary: "show the team's name",
    effect: "read",
    run: inDatabase(async ({ db }) => {
      const team = await readTeam(db);
      return { json: team, text: team.name ?? "The team has no name." };
    }),
  },
  {
    name: "team name",
    args: ["<name>"],
    summary: "name the team",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const team = await changeTeam(tx, COMMAND_LINE, { name: call.arg });
      return { json: team, text: `The team is called ${team.name}.` };
    }),
  },
  {
    name: "team logo",
    args: ["<file>"],
    summary: "set the team's logo to the middle square of a picture",
    effect: "audited",
    async run(call) {
      const file = call.arg;
      if (!(await Bun.file(file).exists()))
        throw new Refusal("not_found", `There is no file ${file}.`);
      // Throws in a folder other than the service's, where the service would not find the picture.
      await readKeyOf(call.config)();
      return withDatabase(call.config, async ({ db }) => {
        const squares = await storeSquares(db, openStore(call.config), file);
        const team = await db.transaction((tx) => changeLogo(tx, COMMAND_LINE, squares));
        return { json: team, text: "The team has a new logo." };
      });
    },
  },
  {
    name: "team remove-logo",
    summary: "remove the team's logo",
    effect: "audited",
    run: inTransaction(async (tx) => {
      const team = await changeLogo(tx, COMMAND_LINE, []);
      return { json: team, text: "The team has no logo." };
    }),
  },
  {
    name: "uploads show",
    summary: "show how large an upload may be",
    effect: "read",
    run: inDatabase(async ({ db }) => describeUploads(await readUploadLimit(db))),
  },
  {
    name: "uploads limit",
    args: ["<megabytes>"],
    summary: "set how large an upload may be",
    effect: "audited",
    run: (call) => {
      // The API also accepts limits that are not a whole number of megabytes.
      if (!/^\d+(\.\d+)?$/.test(call.arg)) {
        throw new UsageError("uploads limit needs a number of megabytes, such as 100 or 0.5.");
      }
      return withDatabase(call.config, async ({ db }) => {
        const maxBytes = Math.round(Number(call.arg) * 1_048_576);
        await db.transaction((tx) => changeUploadLimit(tx, COMMAND_LINE, maxBytes));
        return describeUploads(maxBytes);
      });
    },
  },
  {
    name: "sign-in show",
    summary: "show who must have a second factor",
    effect: "read",
    run: inDatabase(async ({ db }) => fieldsResult(await readSignInSettings(db))),
  },
  {
    name: "sign-in set",
    summary: "set who must have a second factor",
    effect: "audited",
    options: {
      "second-factor": {
        value: "<optional|administrators|everyone>",
        required: true,
        help: "optional turns the policy off, and gives back what it had restricted",
      },
    },
    run: inTransaction(async (tx, call) => {
      const policy = call.options["second-factor"] as SecondFactorPolicy;
      return fieldsResult(await setSecondFactorPolicy(tx, COMMAND_LINE, policy));
    }),
  },
  {
    name: "sections show",
    summary: "show the sidebar sections with which new accounts start",
    effect: "read",
    run: inDatabase(async ({ db }) => describeSections(db, await readDefaultSections(db))),
  },
  {
    name: "sections set",
    args: ["<file>"],
    summary: "set them to the lines of a file, such as Projects: #engines, #bridges",
    effect: "audited",
    async run(call) {
      const file = Bun.file(call.arg);
      if (!(await file.exists())) {
        throw new Refusal("not_found", `There is no file ${call.arg}.`);
      }
      const text = await file.text();
      return withDatabase(call.config, async ({ db }) => {
        const sections = await parseSections(db, text);
        const defaultSections = await db.transaction(async (tx) => {
          const { version } = await readDefaultSections(tx);
          return saveDefaultSections(tx, COMMAND_LINE, { base_version: version, sections });
        });
        return describeSections(db, defaultSections);
      });
    },
  },
];

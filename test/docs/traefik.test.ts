import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Static, type TObject, type TProperties, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/*
 * Neither npm nor Debian has Traefik or its schema. These are the fields of Traefik 3 that the files use, with the
 * names and types of its `pkg/config/dynamic` and `pkg/config/static`: it refuses a file with another one.
 */
const FOLDER = join(import.meta.dir, "../../deploy/proxy");
const strict = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  t.Object(fields, { additionalProperties: false });
/** As Go's `time.ParseDuration` reads it. */
const Duration = t.String({ pattern: "^\\d+(?:ms|s|m|h)$" });
const Address = t.String({ pattern: "^[\\w.]*:\\d+$" });

const Dynamic = strict({
  http: strict({
    routers: t.Record(
      t.String(),
      strict({
        rule: t.String({ pattern: "^Host\\(`[\\w.-]+`\\)$" }),
        entryPoints: t.Array(t.String()),
        service: t.String(),
        tls: strict({ certResolver: t.String() }),
      }),
    ),
    services: t.Record(
      t.String(),
      strict({
        loadBalancer: strict({
          servers: t.Array(strict({ url: t.String({ pattern: "^http://[\\w.]+:\\d+$" }) })),
          healthCheck: strict({ path: t.String(), interval: Duration, timeout: Duration }),
        }),
      }),
    ),
  }),
});
const EntryPoint = strict({
  address: Address,
  http: t.Optional(strict({ redirections: strict({ entryPoint: strict({ to: t.String() }) }) })),
  transport: t.Optional(strict({ respondingTimeouts: strict({ readTimeout: Duration }) })),
});
const Acme = strict({
  email: t.String(),
  storage: t.String(),
  httpChallenge: strict({ entryPoint: t.String() }),
});
const Fixed = strict({
  entryPoints: t.Record(t.String(), EntryPoint),
  providers: strict({ file: strict({ filename: t.String() }) }),
  certificatesResolvers: t.Record(t.String(), strict({ acme: Acme })),
});

async function read<Schema extends TObject>(name: string, schema: Schema) {
  const document = Bun.YAML.parse(await Bun.file(join(FOLDER, name)).text());
  expect(
    [...Value.Errors(schema, document)].map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([]);
  return document as Static<Schema>;
}

test("Traefik's files have its fields alone, and find each other's names", async () => {
  const { http } = await read("traefik.yaml", Dynamic);
  const fixed = await read("traefik-static.yaml", Fixed);
  const entryPoints = Object.keys(fixed.entryPoints);
  for (const { service, tls, entryPoints: named } of Object.values(http.routers)) {
    expect(Object.keys(http.services)).toContain(service);
    expect(Object.keys(fixed.certificatesResolvers)).toContain(tls.certResolver);
    expect(named.filter((name) => !entryPoints.includes(name))).toEqual([]);
    // Its own limit is 60 seconds for a whole request, which cuts uploads off.
    for (const name of named) {
      const { transport } = fixed.entryPoints[name] ?? {};
      expect(transport?.respondingTimeouts.readTimeout).toBe("0s");
    }
  }
  for (const { loadBalancer } of Object.values(http.services)) {
    const { path, interval, timeout } = loadBalancer.healthCheck;
    expect(path).toBe("/readyz");
    // Otherwise Traefik makes the interval a second more than the time-out.
    expect(Number.parseFloat(interval)).toBeGreaterThan(Number.parseFloat(timeout));
  }
  const { web } = fixed.entryPoints;
  expect(entryPoints).toContain(web?.http?.redirections.entryPoint.to ?? "");
  const challenges = Object.values(fixed.certificatesResolvers).map(
    ({ acme }) => acme.httpChallenge.entryPoint,
  );
  expect(challenges.filter((name) => !entryPoints.includes(name))).toEqual([]);
});

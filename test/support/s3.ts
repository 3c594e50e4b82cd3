import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "bun";
import S3rver from "@20minutes/s3rver";
import type { S3Settings } from "../../src/platform/storage/s3.ts";

/** A server that speaks S3, checks signatures, and has one empty bucket. */
export class Bucket {
  private constructor(
    readonly settings: S3Settings,
    readonly close: () => Promise<void>,
    private readonly folder: string | null,
  ) {}

  static async open(): Promise<Bucket> {
    const { TEST_S3_URL: given } = process.env;
    if (given) return Bucket.#empty(new URL(given));
    const directory = await mkdtemp(join(tmpdir(), "snug-s3-"));
    const server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory,
      configureBuckets: [{ name: "snug" }],
    });
    const { port } = await server.run();
    const settings: S3Settings = {
      bucket: "snug",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
    };
    const close = async () => {
      await server.close();
      await rm(directory, { recursive: true });
    };
    return new Bucket(settings, close, directory);
  }

  /** A bucket of another server, which loses all that it has: `http://key:secret@127.0.0.1:9000/bucket`. */
  static async #empty({ origin, username, password, pathname }: URL): Promise<Bucket> {
    const [accessKeyId, secretAccessKey] = [username, password].map(decodeURIComponent);
    const bucket = new Bucket(
      {
        bucket: pathname.slice(1),
        accessKeyId: accessKeyId ?? "",
        secretAccessKey: secretAccessKey ?? "",
        region: "us-east-1",
        endpoint: origin,
      },
      async () => {},
      null,
    );
    for (const key of await bucket.keys()) await bucket.#client.delete(key);
    return bucket;
  }

  get #client(): S3Client {
    const { region, endpoint, ...settings } = this.settings;
    return new S3Client({ ...settings, region: region ?? "", endpoint: endpoint ?? "" });
  }

  /** The same, as an operator sets it. */
  get environment(): Record<string, string> {
    const { bucket, accessKeyId, secretAccessKey, region, endpoint } = this.settings;
    return {
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_REGION: region ?? "",
      S3_ENDPOINT: endpoint ?? "",
    };
  }

  /** The keys of what it holds. */
  async keys(): Promise<string[]> {
    if (this.folder === null) {
      const { contents = [] } = await this.#client.list();
      return contents.map(({ key }) => key).sort();
    }
    const cwd = join(this.folder, "snug");
    const paths = await Array.fromAsync(new Bun.Glob("**/*._S3rver_object").scan({ cwd }));
    return paths.map((path) => path.replace("._S3rver_object", "")).sort();
  }
}

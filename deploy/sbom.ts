import manifest from "../package.json";
import { listRuntimePackages, type Package } from "./packages.ts";

/**
 * Writes a software bill of materials of what a running Snug consists of (CycloneDX 1.6, JSON).
 *
 * Usage: bun run sbom > sbom.cdx.json
 */
export async function buildSbom() {
  const packages = await listRuntimePackages();
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `pkg:npm/${manifest.name}@${manifest.version}`,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    // One may be installed in several places.
    components: [...new Map(packages.map(toComponent).map((one) => [one.purl, one])).values()],
  };
}

function toComponent({ name, version, licence, homepage, integrity }: Package) {
  // Of a package with a scope, the @ is encoded (purl, 5.6).
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const isExpression = /\s(?:AND|OR|WITH)\s/.test(licence);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: [isExpression ? { expression: licence } : { license: { id: licence } }],
    ...(integrity && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(integrity, "base64").toString("hex") }],
    }),
    ...(homepage && { externalReferences: [{ type: "website", url: homepage }] }),
  };
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await buildSbom(), null, 2)}\n`);

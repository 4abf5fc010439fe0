// The bill of materials of the one-file programs, in CycloneDX: what is in them, of which version, under which licence.
import { type BundledPackage, bundledPackages } from "../bundled-packages.ts";
import { linkedIntoBun } from "../notice.ts";
import type { Lockfile } from "./bun-binaries.ts";
import { releaseTargets } from "./targets.ts";

const repository = "https://github.com/odograph/odograph";

/** Has no random serial number and no time but that of the commit, so it is the same each time it is made. */
export async function billOfMaterials(version: string, lockfile: Lockfile, time: Date): Promise<object> {
  const packages = await bundledPackages();
  const program = `pkg:github/odograph/odograph@v${version}`;
  const components = [...packages.map((each) => bundledComponent(each, lockfile)), await bunComponent(lockfile)];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        type: "application",
        "bom-ref": program,
        name: "odograph",
        version,
        licenses: licences("Apache-2.0"),
        purl: program,
        externalReferences: [{ type: "vcs", url: repository }],
      },
    },
    components,
    dependencies: [{ ref: program, dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}

function bundledComponent({ name, version, path, licence, holders }: BundledPackage, lockfile: Lockfile) {
  return {
    ...npmComponent(name, version, licence, lockfile.packages[path]?.integrity),
    // Two folders may hold the same version.
    "bom-ref": path,
    ...(holders.length > 0 ? { copyright: holders.join("\n") } : {}),
  };
}

/** Bun, with its package for each system, and with what its authors say is linked into it (they name no versions). */
async function bunComponent({ packages }: Lockfile) {
  const bun = packages["node_modules/bun"];
  const bySystem = releaseTargets.map(({ bunPackage }) => {
    const { version = "", integrity } = packages[`node_modules/${bunPackage}`] ?? {};
    return npmComponent(bunPackage, version, "MIT", integrity);
  });
  const linked = (await linkedIntoBun()).map(({ name, licence }) => ({
    type: "library",
    "bom-ref": `bun/${name}`,
    name,
    licenses: [{ license: { name: licence } }],
  }));
  return {
    ...npmComponent("bun", bun?.version ?? "", "MIT", bun?.integrity),
    components: [...bySystem, ...linked],
  };
}

function npmComponent(name: string, version: string, licence: string, integrity: string | undefined) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hash = integrity?.replace(/^sha512-/, "");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    licenses: licences(licence),
    purl,
    ...(hash ? { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] } : {}),
  };
}

/** An identifier of SPDX, or several joined by words. */
function licences(licence: string): object[] {
  return /^[\w.-]+$/.test(licence) ? [{ license: { id: licence } }] : [{ expression: licence }];
}

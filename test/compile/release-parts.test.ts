import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { tarGz, tarGzAgain, zip, zipAgain } from "../../scripts/release/archives.ts";
import { faultOfMachOSignature, signMachO } from "../../scripts/release/mach-o-signature.ts";
import { textsOfArchive } from "../../scripts/release/programs.ts";
import { releaseTargets } from "../../scripts/release/targets.ts";
import { changesOf, faultsOfVersion } from "../../scripts/release/version.ts";
import { readRepository } from "../support/source-tree.ts";

const repository = await readRepository();
const text = (path: string) => repository.get(path) ?? "";
const sources = {
  program: JSON.parse(text("package.json")).version as string,
  client: JSON.parse(text("client/package.json")).version as string,
  pythonProject: text("client-python/pyproject.toml"),
  changelog: text("CHANGELOG.md"),
  security: text("SECURITY.md"),
};

describe("a version", () => {
  test("is the same in the program, in both clients and in the changelog, and gets security fixes", () => {
    expect(faultsOfVersion(sources)).toEqual([]);
    expect(changesOf(sources.program, sources.changelog)).toMatch(/^(?!## ).*\n/);
  });

  test("is not released if they disagree, or without a date", () => {
    expect(faultsOfVersion({ ...sources, program: "9.8.7" })).toEqual([
      `client/package.json must have version 9.8.7, and has ${sources.client}`,
      `client-python/pyproject.toml must have version 9.8.7, and has ${sources.client}`,
      'CHANGELOG.md must have a section "## 9.8.7 - DATE"',
      expect.stringMatching(/^SECURITY\.md must name 9\.8 as the supported version, and names \d\.\d$/),
    ]);
    const security = "| version | security fixes |\n| 1.2, newest release | yes |\n";
    const ofSecurity = (program: string) => faultsOfVersion({ ...sources, program, security }).at(-1);
    const older = (minor: string) => `SECURITY.md must name ${minor} as the supported version, and names 1.2`;
    expect([ofSecurity("1.3.0"), ofSecurity("2.0.0")]).toEqual([older("1.3"), older("2.0")]);
    expect(ofSecurity("1.2.7")).not.toContain("SECURITY");
    const changelog = `# Changelog\n\n## ${sources.program} - unreleased\n`;
    expect(faultsOfVersion({ ...sources, changelog })).toEqual([
      `CHANGELOG.md must give ${sources.program} a date, not "unreleased"`,
    ]);
  });

  test("has its own changes only", () => {
    const changelog =
      "# Changelog\n\nWords.\n\n## 1.2.0 - 2026-11-17\n\n### Added\n\n- a\n\n## 1.0.0 - 2026-11-15\n\n- b\n";
    expect(changesOf("1.2.0", changelog)).toBe("### Added\n\n- a\n");
    expect(changesOf("1.0.0", changelog)).toBe("- b\n");
  });

  test("has a program for each system, with a Bun that the lockfile pins", () => {
    const { packages } = JSON.parse(text("package-lock.json"));
    for (const { bunPackage } of releaseTargets) {
      const { version, integrity } = packages[`node_modules/${bunPackage}`];
      expect([bunPackage, version]).toEqual([bunPackage, packages["node_modules/bun"].version]);
      expect(integrity).toStartWith("sha512-");
    }
  });
});

describe("the command that makes a release", () => {
  const release = (...args: string[]) => {
    const script = fileURLToPath(new URL("../../scripts/release.mjs", import.meta.url));
    const { exitCode, stdout, stderr } = Bun.spawnSync(["node", script, ...args]);
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  };

  test("says how it is used", () => {
    const { exitCode, stdout } = release("--help");
    expect(exitCode).toBe(0);
    for (const { name } of releaseTargets) expect(stdout).toContain(name);
  });

  test("refuses what it does not know, before it makes anything", () => {
    expect(release("--only", "beos")).toEqual({ exitCode: 1, stdout: "", stderr: "release: no such system: beos\n" });
    expect(release("--nonsense").stderr).toStartWith("release: Unknown option '--nonsense'");
  });
});

describe("an archive of a release", () => {
  test("holds the licences, and the files that docs/operations.md installs", () => {
    if (!Bun.which("git")) return console.log("not run, for want of git: the files of an archive");
    const wanted = /^(?:LICENSE|NOTICE|README\.md)$|^deploy\//;
    expect(textsOfArchive().sort()).toEqual([...repository.keys()].filter((path) => wanted.test(path)).sort());
  });

  const time = new Date("2026-11-17T12:34:56Z");
  const files = [
    { name: "odograph-1/odograph", bytes: Buffer.from("program"), isProgram: true },
    { name: "odograph-1/LICENSE", bytes: Buffer.from("licence"), isProgram: false },
  ];

  test("is the same whatever the order of its files, and made again from itself", async () => {
    const tar = await tarGz(files, time);
    expect(await tarGz(files.toReversed(), time)).toEqual(tar);
    expect(await tarGzAgain(tar, time)).toEqual(tar);
    expect(zip(files.toReversed(), time)).toEqual(zip(files, time));
    const texts = files.map((file) => ({ ...file, isProgram: false }));
    expect(zipAgain(zip(files, new Date()), time)).toEqual(zip(texts, time));
  });

  test("holds the files, and nothing of the machine", async () => {
    const tar = Buffer.from(Bun.gunzipSync(new Uint8Array(await tarGz(files, time))));
    const [first, second] = [tar.subarray(0, 1024), tar.subarray(1024, 2048)];
    expect([first, second].map((entry) => entry.toString("latin1", 0, 25).replaceAll("\0", ""))).toEqual([
      "odograph-1/LICENSE",
      "odograph-1/odograph",
    ]);
    expect([first, second].map((entry) => entry.toString("latin1", 100, 107))).toEqual(["000644 ", "000755 "]);
    for (const entry of [first, second]) {
      expect(entry.toString("latin1", 108, 124).replaceAll(/[ \0]/g, "")).toBe("000000000000");
      expect(Number.parseInt(entry.toString("latin1", 136, 147), 8)).toBe(time.getTime() / 1000);
      expect(entry.toString("latin1", 265, 329).replaceAll("\0", "")).toBe("");
    }
  });
});

describe("the signature of a program for macOS", () => {
  test("holds after signing, over another or none, and not after a change", () => {
    const unsigned = machO();
    expect(faultOfMachOSignature(unsigned)).toBe("the signature is not an ad-hoc one");
    const signed = signMachO(unsigned, "odograph");
    expect(faultOfMachOSignature(signed)).toBeUndefined();
    expect(signMachO(signed, "odograph")).toEqual(signed);
    const changed = Buffer.from(signed);
    changed.writeUInt8(1, 5000);
    expect(faultOfMachOSignature(changed)).toBe("page 1 is not the one that was signed");
    expect(faultOfMachOSignature(Buffer.concat([signed, Buffer.from("more")]))).toBe(
      "the signature is not the end of the file",
    );
    expect(() => signMachO(Buffer.alloc(4096), "odograph")).toThrow("not a program for macOS");
  });
});

/** The least that has a signature: two segments, and a signature of zeros. */
function machO(): Buffer {
  const codeBytes = 10_000;
  const signatureBytes = 64;
  const file = Buffer.alloc(codeBytes + signatureBytes);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, offset: number, size: number) => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(name, at + 8, "latin1");
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, "__TEXT", 0, 8192);
  segment(104, "__LINKEDIT", 8192, codeBytes + signatureBytes - 8192);
  for (const [index, value] of [0x1d, 16, codeBytes, signatureBytes].entries()) {
    file.writeUInt32LE(value, 176 + index * 4);
  }
  return file;
}

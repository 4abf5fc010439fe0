/** The systems that a release has programs for. */
export interface ReleaseTarget {
  /** In the name of the archive. */
  readonly name: string;
  readonly bunPackage: string;
  readonly compileTarget: Bun.Build.CompileTarget;
  readonly isThisSystem: boolean;
}

export const releaseTargets: readonly ReleaseTarget[] = [
  target("linux-x64", "@oven/bun-linux-x64", "bun-linux-x64"),
  target("linux-arm64", "@oven/bun-linux-aarch64", "bun-linux-arm64"),
  target("linux-x64-musl", "@oven/bun-linux-x64-musl", "bun-linux-x64-musl"),
  target("linux-arm64-musl", "@oven/bun-linux-aarch64-musl", "bun-linux-arm64-musl"),
  target("macos-x64", "@oven/bun-darwin-x64", "bun-darwin-x64"),
  target("macos-arm64", "@oven/bun-darwin-aarch64", "bun-darwin-arm64"),
  target("windows-x64", "@oven/bun-windows-x64", "bun-windows-x64"),
];

export function isForWindows({ name }: ReleaseTarget): boolean {
  return name.startsWith("windows");
}

export function isForMac({ name }: ReleaseTarget): boolean {
  return name.startsWith("macos");
}

function target(name: string, bunPackage: string, compileTarget: Bun.Build.CompileTarget): ReleaseTarget {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const isMusl = process.platform === "linux" && header?.glibcVersionRuntime === undefined;
  const thisSystem = `bun-${process.platform.replace("win32", "windows")}-${process.arch}${isMusl ? "-musl" : ""}`;
  return { name, bunPackage, compileTarget, isThisSystem: compileTarget === thisSystem };
}

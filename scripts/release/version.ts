// What must agree before a version is released.
export interface VersionSources {
  readonly program: string;
  readonly client: string;
  /** The text of client-python/pyproject.toml. */
  readonly pythonProject: string;
  readonly changelog: string;
  /** The text of SECURITY.md. */
  readonly security: string;
}

/** What forbids a release, one line each; none if all is well. */
export function faultsOfVersion({ program, client, pythonProject, changelog, security }: VersionSources): string[] {
  const python = /^version = "(.*)"$/m.exec(pythonProject)?.[1];
  const faults: string[] = [];
  if (client !== program) faults.push(`client/package.json must have version ${program}, and has ${client}`);
  if (python !== program) faults.push(`client-python/pyproject.toml must have version ${program}, and has ${python}`);
  const heading = new RegExp(`^## ${program.replaceAll(".", "\\.")} - (.*)$`, "m").exec(changelog)?.[1];
  if (heading === undefined) faults.push(`CHANGELOG.md must have a section "## ${program} - DATE"`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(heading))
    faults.push(`CHANGELOG.md must give ${program} a date, not "${heading}"`);
  const supported = /^\| (\d+\.\d+), newest release +\| yes /m.exec(security)?.[1] ?? "none";
  // The page may be ahead: it is written before the version is set.
  if (!(supported !== "none" && Bun.semver.order(`${supported}.999`, program) >= 0)) {
    const minor = program.split(".", 2).join(".");
    faults.push(`SECURITY.md must name ${minor} as the supported version, and names ${supported}`);
  }
  return faults;
}

/** The section of a version, without its heading. */
export function changesOf(version: string, changelog: string): string {
  const [, ...afterEach] = changelog.split(/^(?=## )/m);
  const section = afterEach.find((text) => text.startsWith(`## ${version} `)) ?? "";
  return `${section.replace(/^.*\n/, "").trim()}\n`;
}

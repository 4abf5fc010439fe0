// What must agree before a version is released.
export interface VersionSources {
  readonly program: string;
  readonly client: string;
  /** The text of client-python/pyproject.toml. */
  readonly pythonProject: string;
  readonly changelog: string;
}

/** What forbids a release, one line each; none if all is well. */
export function faultsOfVersion({ program, client, pythonProject, changelog }: VersionSources): string[] {
  const python = /^version = "(.*)"$/m.exec(pythonProject)?.[1];
  const faults: string[] = [];
  if (client !== program) faults.push(`client/package.json must have version ${program}, and has ${client}`);
  if (python !== program) faults.push(`client-python/pyproject.toml must have version ${program}, and has ${python}`);
  const heading = new RegExp(`^## ${program.replaceAll(".", "\\.")} - (.*)$`, "m").exec(changelog)?.[1];
  if (heading === undefined) faults.push(`CHANGELOG.md must have a section "## ${program} - DATE"`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(heading))
    faults.push(`CHANGELOG.md must give ${program} a date, not "${heading}"`);
  return faults;
}

/** The section of a version, without its heading. */
export function changesOf(version: string, changelog: string): string {
  const [, ...afterEach] = changelog.split(/^(?=## )/m);
  const section = afterEach.find((text) => text.startsWith(`## ${version} `)) ?? "";
  return `${section.replace(/^.*\n/, "").trim()}\n`;
}

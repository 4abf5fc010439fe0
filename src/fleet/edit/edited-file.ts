import { Failure } from "../../domain/errors.ts";
import { SharedThread } from "../../store/share-thread.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import type { Line } from "../parse/lines.ts";
import { pathText } from "../parse/parse.ts";
import { type RecordType, recordSchemas } from "../parse/records.ts";
import { checkWithinFile } from "../parse/within-file.ts";

/** What is wrong with which field of an edit. */
export class WrongFields extends Failure {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    const problems = Object.entries(fields).map(([name, problem]) => `${name}: ${problem}`);
    super("INVALID_REQUEST", problems.join("; "));
    this.fields = fields;
  }
}

/** No form has more fields; of a thousand wrong rows nobody reads all. */
const maxWrongNamed = 50;

/** The lines of an edit as a file, each checked as `load` checks it. */
export function fileOf(lines: readonly Line[]): FleetFile {
  return asFile(lines.map(readLine));
}

/** The same of many lines: others are answered while they are checked. */
export async function fileOfMany(lines: readonly Line[]): Promise<FleetFile> {
  const thread = new SharedThread();
  const read: ReadLine[] = [];
  for (const [index, line] of lines.entries()) {
    await thread.share();
    read.push(readLine(line, index));
  }
  return asFile(read);
}

type ReadLine = ReturnType<typeof readLine>;

function readLine(raw: Line, index: number) {
  const type = raw.type as RecordType;
  const { data: record, error } = recordSchemas[type].safeParse(raw);
  return { type, line: index + 1, record, issues: error?.issues ?? [] };
}

function asFile(lines: readonly ReadLine[]): FleetFile {
  const wrong: Record<string, string> = {};
  for (const { path, message } of lines.flatMap(({ issues }) => issues)) {
    if (Object.keys(wrong).length < maxWrongNamed) wrong[pathText(path)] ??= `expected ${message}`;
  }
  if (Object.keys(wrong).length > 0) throw new WrongFields(wrong);
  const of = (wanted: RecordType) =>
    lines.filter(({ type }) => type === wanted).map(({ line, record }) => ({ line, record }));
  // The schema was chosen by the type, which TypeScript cannot follow through the table.
  const file = {
    accounts: of("account"),
    users: of("user"),
    devices: of("device"),
    geofences: of("geofence"),
    alertSettings: of("alert_settings"),
    frames: { count: 0, firstLineByImei: new Map() },
    unknownFields: new Map(),
  } as unknown as FleetFile;
  checkWithinFile(file);
  return file;
}

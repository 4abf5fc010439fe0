import { Failure } from "../../domain/errors.ts";
import { SharedThread } from "../../store/share-thread.ts";
import { addRecord, emptyRecords, type FleetFile } from "../parse/fleet-file.ts";
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

/** The lines of an edit as a file, each checked as `load` checks it. Others are answered while many are checked. */
export async function fileOf(lines: readonly Line[]): Promise<FleetFile> {
  const thread = new SharedThread();
  const records = emptyRecords();
  const wrong: Record<string, string> = {};
  for (const [index, raw] of lines.entries()) {
    await thread.share();
    const type = raw.type as RecordType;
    const { data, error } = recordSchemas[type].safeParse(raw);
    for (const { path, message } of error?.issues ?? []) {
      if (Object.keys(wrong).length < maxWrongNamed) wrong[pathText(path)] ??= `expected ${message}`;
    }
    addRecord(records, type, index + 1, data);
  }
  if (Object.keys(wrong).length > 0) throw new WrongFields(wrong);
  const file = { ...records, frames: { count: 0, firstLineByImei: new Map() }, unknownFields: new Map() };
  checkWithinFile(file);
  return file;
}

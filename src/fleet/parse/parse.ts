import type { z } from "zod";
import { Failure } from "../../domain/errors.ts";
import { isObject, type RawObject } from "../../domain/text/raw-object.ts";
import { addRecord, emptyRecords, type FleetFile } from "./fleet-file.ts";
import { inWordsOfLines, knownFrameFields, type ReadFrame } from "./frame-lines.ts";
import { type KnownFields, knownFields, type RecordOf, type RecordType, recordSchemas } from "./records.ts";
import { firstProblems } from "./reference.ts";
import { checkWithinFile } from "./within-file.ts";

/** One line of a fleet file that is not blank. A frame is only recognised here; the intake reads it. */
export type FleetLine =
  | {
      [Type in RecordType]: { type: Type; line: number; record: RecordOf<Type>; unknownFields: readonly string[] };
    }[RecordType]
  | { type: "frame"; line: number; raw: RawObject };

const maxUnknownFieldsReported = 100;
const maxValueLength = 60;

/** The frame of a line, unread; null if it holds none. */
export function parseFrameLine(line: number, text: string): RawObject | null {
  const raw = parseLine(line, text);
  return raw?.type === "frame" ? raw : null;
}

/** Reads one line; null if it is blank. Throws a `Failure` that names everything wrong with it. */
export function parseFleetLine(line: number, text: string): FleetLine | null {
  const raw = parseLine(line, text);
  if (raw === null) return null;
  if (raw.type === "frame") return { type: "frame", line, raw };
  if (!isRecordType(raw.type)) {
    const known = [...Object.keys(recordSchemas), "frame"].join(", ");
    throw invalid(line, [problemText(["type"], `one of ${known}`, raw)]);
  }
  const result = recordSchemas[raw.type].safeParse(raw);
  if (!result.success) {
    throw invalid(
      line,
      result.error.issues.map((issue) => issueText(issue, raw)),
    );
  }
  const unknownFields = unknownFieldsOf(raw, knownFields[raw.type]);
  // The schema was chosen by the type, which TypeScript cannot follow through the table.
  return { type: raw.type, line, record: result.data, unknownFields } as FleetLine;
}

/** Collects the lines of one file; of frames only their devices. `finish` checks the lines against each other. */
export function collectFleet(readFrame: ReadFrame): {
  add(lineNumber: number, text: string): boolean;
  finish(): FleetFile;
} {
  const records = emptyRecords();
  const unknownFields = new Map<string, { line: number; count: number }>();
  const firstLineByImei = new Map<string, number>();
  let frameCount = 0;

  function countUnknown(type: FleetLine["type"], line: number, fields: readonly string[]): void {
    for (const field of fields) {
      const own = `${type} field ${quoted(field)}`;
      const isReported = unknownFields.has(own) || unknownFields.size < maxUnknownFieldsReported;
      const description = isReported ? own : "other fields";
      const entry = unknownFields.get(description) ?? { line, count: 0 };
      unknownFields.set(description, { line: entry.line, count: entry.count + 1 });
    }
  }

  function addFrame(line: number, raw: RawObject): void {
    const frame = readFrame(raw);
    if (typeof frame === "string") throw invalid(line, [inWordsOfLines(frame)]);
    countUnknown("frame", line, unknownFieldsOf(raw, knownFrameFields));
    frameCount++;
    if (!firstLineByImei.has(frame.imei)) firstLineByImei.set(frame.imei, line);
  }

  return {
    add(lineNumber, text) {
      const parsed = parseFleetLine(lineNumber, text);
      if (parsed === null) return false;
      if (parsed.type === "frame") {
        addFrame(parsed.line, parsed.raw);
        return true;
      }
      countUnknown(parsed.type, parsed.line, parsed.unknownFields);
      addRecord(records, parsed.type, parsed.line, parsed.record);
      return false;
    },
    finish() {
      const frames = { count: frameCount, firstLineByImei };
      const fleet = { ...records, frames, unknownFields };
      checkWithinFile(fleet);
      return fleet;
    },
  };
}

function isRecordType(type: unknown): type is RecordType {
  return typeof type === "string" && Object.hasOwn(recordSchemas, type);
}

function parseLine(line: number, text: string): RawObject | null {
  const json = line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text;
  return json.trim() === "" ? null : parseObject(line, json);
}

/** The line may hold a password, so the parser's message, which quotes it, is not passed on. */
function parseObject(line: number, json: string): RawObject {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid(line, [`expected one JSON object, got ${whyNotJson(json.trim())}`]);
  }
  if (isObject(value)) return value;
  const kind = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
  throw invalid(line, [`expected one JSON object, got ${kind}`]);
}

function whyNotJson(text: string): string {
  if (!text.startsWith("{")) return "text that does not start with {";
  if (!text.endsWith("}")) return "text that does not end with } (an object must be on one line)";
  return "text that is not JSON";
}

function invalid(line: number, problems: readonly string[]): Failure {
  return new Failure("FLEET_FILE_INVALID", `line ${line}: ${firstProblems(problems)}`);
}

function issueText(issue: z.core.$ZodIssue, raw: RawObject): string {
  // A wrong key of an object: the inner issue says what is expected.
  if (issue.code === "invalid_key") return problemText(issue.path, `as a name, ${issue.issues[0]?.message}`, raw, "");
  const found = issue.code === "custom" ? issue.params?.found : undefined;
  return problemText(issue.path, issue.message, raw, typeof found === "string" ? found : undefined);
}

function problemText(path: readonly PropertyKey[], expected: string, raw: RawObject, found?: string): string {
  const parts = [`expected ${expected}`, found ?? foundText(path, raw)].filter((part) => part !== "");
  return `field ${quoted(pathText(path))}: ${parts.join(", ")}`;
}

function foundText(path: readonly PropertyKey[], raw: RawObject): string {
  let value: unknown = raw;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  if (value === undefined) return "but it is missing";
  if (path.includes("password") || path.includes("password_hash")) return "";
  if (Array.isArray(value)) return `got an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "got an object";
  return `got ${typeof value === "string" ? quoted(value) : String(value)}`;
}

/** `rules[0].severity`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return text;
}

/** In quotes, shortened, and without control characters for a terminal. */
export function quoted(text: string): string {
  const short = text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
  const byNumber = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return `"${short.replace(/["\\]/g, "\\$&").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, byNumber)}"`;
}

/** Each once. */
function unknownFieldsOf(raw: RawObject, known: KnownFields): string[] {
  return [...new Set(unknownFieldsIn(raw, known))].filter((field) => field !== "type");
}

function unknownFieldsIn(raw: RawObject, known: KnownFields, prefix = ""): string[] {
  return Object.entries(raw).flatMap(([field, value]) => {
    if (!Object.hasOwn(known, field)) return [prefix + field];
    const inside = known[field];
    if (!inside || typeof value !== "object" || value === null) return [];
    if (!Array.isArray(value)) return unknownFieldsIn(value as RawObject, inside, `${prefix}${field}.`);
    return value.flatMap((item) => unknownFieldsIn(item, inside, `${prefix}${field}[].`));
  });
}

/** An operation as samples and the console need it. It goes into the page as JSON, so it holds plain values only. */
export interface SampleCall {
  readonly operationId: string;
  /** Relative to /v1, with `{name}` for path parameters. */
  readonly path: string;
  readonly parameters: readonly CallParameter[];
  /** What the example calls with, by parameter. */
  readonly example: SampleValues;
  /** What is in `data`: a list with pages, a list without, one record. `text`: there is no `data`. */
  readonly answer: "pages" | "list" | "record" | "text";
  /** What a record is called: `Trip`. */
  readonly record: string;
  /** Whether `device_id` or `imei` must be given. */
  readonly needsDevice: boolean;
  readonly needsKey: boolean;
  /** Whether an answer has an ETag, which can be sent back as `If-None-Match`. */
  readonly isConditional: boolean;
}

export interface CallParameter {
  readonly name: string;
  readonly place: "path" | "query";
  /** `list`: texts separated by commas. */
  readonly kind: "text" | "integer" | "number" | "boolean" | "choice" | "time" | "list";
  /** Of a choice. */
  readonly values?: readonly string[];
  readonly standard?: string;
  readonly min?: number;
  readonly max?: number;
  readonly isRequired?: true;
}

/** What a call is made with, by parameter, as it is written in an address. Never empty. */
export type SampleValues = Readonly<Record<string, string>>;

export interface SampleArgument {
  readonly parameter: CallParameter;
  readonly value: string;
}

/** What was entered, and of the example whatever a call cannot do without. The example, if nothing was entered. */
export function completed(call: SampleCall, entered: SampleValues): SampleValues {
  if (Object.keys(entered).length === 0) return call.example;
  const isNeeded = ({ place, isRequired }: CallParameter) => place === "path" || isRequired;
  const isMissing = (parameter: CallParameter) => isNeeded(parameter) && entered[parameter.name] === undefined;
  const missing = call.parameters.filter(isMissing).map(({ name }) => name);
  if (call.needsDevice && entered.device_id === undefined && entered.imei === undefined) missing.push("imei");
  const added = missing.map((name): [string, string] => [name, call.example[name] ?? ""]);
  return { ...Object.fromEntries(added), ...entered };
}

export function argumentsOf(call: SampleCall, values: SampleValues, place: CallParameter["place"]): SampleArgument[] {
  return call.parameters.flatMap((parameter) => {
    const value = values[parameter.name];
    return parameter.place === place && value !== undefined ? [{ parameter, value }] : [];
  });
}

/** The path with its values. No character in it means anything to a shell or to a quoted text. */
export function samplePath(call: SampleCall, values: SampleValues): string {
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.toWellFormed() ?? "").replace(
      /[!'()*~]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}

/** What a sample has to do, the same in every language. */
export interface SampleTask {
  readonly call: SampleCall;
  /**
   * How the answer is read: a client reads pages to their end, follows changes, or reads a list or a record. `plain` is one
   * request for what clients do not read: another format than JSON, or one page of several.
   */
  readonly reads: "pages" | "changes" | "list" | "record" | "plain";
  readonly path: string;
  readonly inPath: readonly SampleArgument[];
  readonly query: readonly SampleArgument[];
  /** Without the format: clients read JSON anyway. */
  readonly clientQuery: readonly SampleArgument[];
  /** `SensorReading` as `sensorReading`. */
  readonly noun: string;
  /** Whether a plain request gives one page of several. */
  readonly hasNextPage: boolean;
}

export function taskOf(call: SampleCall, values: SampleValues): SampleTask {
  // The clients have no parameters that are for documents.
  const isDocument = (values.format ?? "json") !== "json" || values.geometry !== undefined;
  const isPlain = isDocument || values.cursor !== undefined;
  const query = argumentsOf(call, values, "query");
  return {
    call,
    reads: isPlain || call.answer === "text" ? "plain" : call.operationId === "listChanges" ? "changes" : call.answer,
    path: samplePath(call, values),
    inPath: argumentsOf(call, values, "path"),
    query,
    clientQuery: query.filter(({ parameter }) => !["format", "geometry"].includes(parameter.name)),
    noun: call.record.charAt(0).toLowerCase() + call.record.slice(1),
    hasNextPage: isPlain && call.answer === "pages",
  };
}

/** A text as JSON, TypeScript, Python and Go write it alike. */
export function quotedJson(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** A value as TypeScript and Python write it; they differ in `true` and `false`. */
export function literal({ parameter: { kind }, value }: SampleArgument, booleans: SampleValues): string {
  if (kind === "integer" && /^-?\d{1,15}$/.test(value)) return String(Number(value));
  if (kind === "number" && /^-?\d{1,15}(\.\d{1,6})?$/.test(value)) return String(Number(value));
  if (kind === "list") return `[${value.split(",").map(quotedJson).join(", ")}]`;
  return (kind === "boolean" && booleans[value]) || quotedJson(value);
}

/** The parts of a call in one line if they fit, otherwise each in a line of its own. */
export function wrapped(before: string, parts: readonly string[], after: string, indent: string): string {
  const line = before + parts.join(", ") + after;
  if (line.length <= maxLine || parts.length === 0) return line;
  return [before, ...parts.map((part) => `${indent}${part},`), after.trimStart()].join("\n");
}

/** What fits beside the words without scrolling. */
const maxLine = 64;

/** A comment below a request for one page of several. */
export const nextPageHint = "The next page, if there is one, is in the header Link.";

/** An operation as samples and the console need it. It goes into the page as JSON, so it holds plain values only. */
export interface Call {
  readonly operationId: string;
  /** Relative to /v1, with `{name}` for path parameters. */
  readonly path: string;
  readonly parameters: readonly CallParameter[];
  /** What the example calls with, by parameter. */
  readonly example: Values;
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
  readonly kind: "text" | "integer" | "boolean" | "choice" | "time" | "list";
  /** Of a choice. */
  readonly values?: readonly string[];
  readonly standard?: string;
  readonly min?: number;
  readonly max?: number;
}

/** What a call is made with, by parameter, as it is written in an address. Never empty. */
export type Values = Readonly<Record<string, string>>;

/** A value of a call beside its parameter. */
export interface Argument {
  readonly parameter: CallParameter;
  readonly value: string;
}

/** What was entered, and of the example whatever a call cannot do without. The example, if nothing was entered. */
export function completed(call: Call, entered: Values): Values {
  if (Object.keys(entered).length === 0) return call.example;
  const isMissing = ({ name, place }: CallParameter) => place === "path" && entered[name] === undefined;
  const missing = call.parameters.filter(isMissing).map(({ name }) => name);
  if (call.needsDevice && entered.device_id === undefined && entered.imei === undefined) missing.push("imei");
  const added = missing.map((name): [string, string] => [name, call.example[name] ?? ""]);
  return { ...Object.fromEntries(added), ...entered };
}

export function argumentsOf(call: Call, values: Values, place: CallParameter["place"]): Argument[] {
  return call.parameters.flatMap((parameter) => {
    const value = values[parameter.name];
    return parameter.place === place && value !== undefined ? [{ parameter, value }] : [];
  });
}

/** The path with its values. No character in it means anything to a shell or to a quoted text. */
export function pathOf(call: Call, values: Values): string {
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.toWellFormed() ?? "").replace(
      /[!'()*~]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}

/** The clients read pages to their end, in JSON. What else was entered is a plain request. */
export function isPlain(call: Call, values: Values): boolean {
  const format = values.format ?? "json";
  return call.answer === "text" || format !== "json" || values.cursor !== undefined;
}

/** Whether a plain request gives one page of several. */
export function hasNextPage(call: Call, values: Values): boolean {
  return call.answer === "pages" && isPlain(call, values);
}

/** `SensorReading` as `sensorReading`. */
export function nounOf({ record }: Call): string {
  return record.charAt(0).toLowerCase() + record.slice(1);
}

/** A text as JSON, TypeScript, Python and Go write it alike. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** What a client is called with: it reads JSON anyway. */
export function clientArguments(call: Call, values: Values): Argument[] {
  return argumentsOf(call, values, "query").filter(({ parameter }) => parameter.name !== "format");
}

/** A value as TypeScript and Python write it; they differ in `true` and `false`. */
export function literal({ parameter: { kind }, value }: Argument, booleans: Values): string {
  if (kind === "integer" && /^-?\d{1,15}$/.test(value)) return String(Number(value));
  if (kind === "list") return `[${value.split(",").map(quoted).join(", ")}]`;
  return (kind === "boolean" && booleans[value]) || quoted(value);
}

/** The parts of a call in one line if they fit, otherwise each in a line of its own. */
export function wrapped(before: string, parts: readonly string[], after: string, indent: string): string {
  const line = before + parts.join(", ") + after;
  if (line.length <= maxLine || parts.length === 0) return line;
  return [before, ...parts.map((part) => `${indent}${part},`), after.trimStart()].join("\n");
}

/** What fits beside the words without scrolling. */
const maxLine = 64;

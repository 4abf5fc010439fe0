import type { FieldMessage } from "../field-message.ts";

type Means = FieldMessage["means"];
type MeantFrame = NonNullable<Means["frames"]>[number];

/**
 * Messages one after another: the bytes as hex; indented, the model and what the message is, with `reply=`; indented twice, a line
 * for each frame, with its time first. Without `lat` the frame must have no place. Other values that are not named are not compared; `null` must be missing.
 */
export function fieldNotes(source: string, notes: string): readonly FieldMessage[] {
  return notes
    .trim()
    .split(/\n(?=\S)/)
    .map((note) => {
      const [message = "", head = "", ...frames] = note.split("\n").map((line) => line.trim());
      const [model = "", values = ""] = head.split("|");
      return { source, model: model.trim(), message, means: { ...meansOf(values), frames: frames.map(frameOf) } };
    });
}

function meansOf(text: string): Omit<Means, "frames"> {
  const { imei, tracker, reply } = valuesOf(text);
  const identity =
    imei === undefined ? { kind: "tracker_id" as const, value: tracker ?? "" } : { kind: "imei" as const, value: imei };
  const isNamed = imei !== undefined || tracker !== undefined;
  return { ...(isNamed ? { identity } : {}), reply: reply ?? null, problem: null };
}

function frameOf(line: string): MeantFrame {
  const [recordedAt = "", ...rest] = line.split(" ");
  const { lat, lon, ignition, fix, event = null, ...numbers } = valuesOf(rest.join(" "));
  return {
    recordedAt,
    latitude: lat === undefined ? null : Number(lat),
    longitude: lon === undefined ? null : Number(lon),
    fix: fix === "none" ? null : lat !== undefined,
    ...(ignition === undefined ? {} : { ignition: ignition === "on" }),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [name, value === "null" ? null : Number(value)]),
    ),
    event,
  };
}

function valuesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

import { FrameLine, frameLineText } from "./frame-line.ts";
import type { StoredFrame } from "./stored-frame.ts";

/** Lines of several devices in one text: each begins with a line feed and the number of its device. Such texts can be joined. */
export function sharedLine(device: number, stored: StoredFrame): string {
  return `\n${device}\t${frameLineText(stored)}`;
}

export function sharedLinesOf(device: number, text: string | null): FrameLine[] {
  const lines: FrameLine[] = [];
  if (text === null) return lines;
  const mark = `\n${device}\t`;
  for (let at = text.indexOf(mark); at >= 0; ) {
    const next = text.indexOf("\n", at + mark.length);
    lines.push(new FrameLine(text.slice(at + mark.length, next < 0 ? undefined : next)));
    at = next < 0 ? next : text.indexOf(mark, next);
  }
  return lines;
}

export function sharedLinesByDevice(text: string): Map<number, FrameLine[]> {
  const byDevice = new Map<number, FrameLine[]>();
  if (text === "") return byDevice;
  for (const part of text.slice(1).split("\n")) {
    const end = part.indexOf("\t");
    const device = Number(part.slice(0, end));
    const line = new FrameLine(part.slice(end + 1));
    const lines = byDevice.get(device);
    if (lines === undefined) byDevice.set(device, [line]);
    else lines.push(line);
  }
  return byDevice;
}

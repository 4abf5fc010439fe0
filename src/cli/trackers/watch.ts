import { Failure } from "../../domain/errors.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { ShownMessage } from "../../intake/trackers/connection/describe.ts";
import { pause } from "../../observe/repeat.ts";
import type { Database } from "../../store/database.ts";
import { type TrackerMessageRow, trackerMessages, watchTracker } from "../../store/fleet/tracker-messages.ts";
import { trackerDevices } from "../../store/fleet/tracker-names.ts";
import type { CommandCall } from "../common/command.ts";
import { countOption } from "../common/options.ts";
import { withStore } from "../store/open-store.ts";

const lookMs = 500;

export async function watch(call: CommandCall): Promise<void> {
  const [name = ""] = call.arguments;
  const count = countOption(call, "count") ?? Number.POSITIVE_INFINITY;
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  await withStore(call, async (database) => {
    const device = (await trackerDevices(database, new Set([name]))).get(name);
    if (device === undefined) throw new Failure("NOT_FOUND", `there is no device with the IMEI or tracker id ${name}`);
    if (!call.options.json) call.terminal.note(`watching ${device.imei}; Ctrl-C ends it`);
    await follow(call, database, device, count, stop.signal);
  });
}

async function follow(
  call: CommandCall,
  database: Database,
  { imei, account_id }: { readonly imei: string; readonly account_id: number },
  count: number,
  stop: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  while (!stop.aborted && seen.size < count) {
    await watchTracker(database, account_id, imei, Date.now());
    for (const row of await trackerMessages(database, account_id, imei)) {
      const key = `${row.node} ${row.number}`;
      if (seen.has(key) || seen.size >= count) continue;
      seen.add(key);
      call.terminal.out(call.options.json ? asJson(row) : asText(row));
    }
    await pause(lookMs, stop);
  }
}

function asJson({ received_at, message_json }: TrackerMessageRow): string {
  return JSON.stringify({ received_at: formatInstant(received_at), ...(JSON.parse(message_json) as ShownMessage) });
}

function asText({ received_at, message_json }: TrackerMessageRow): string {
  const shown = JSON.parse(message_json) as ShownMessage;
  return [
    `${formatInstant(received_at)}  ${shown.protocol}  ${shown.what}  ${outcomeText(shown)}`,
    ...details(shown),
  ].join("\n");
}

function details({ bytes, length, frames, problem, left_out, unread }: ShownMessage): readonly string[] {
  const isCut = bytes.length < 2 * length;
  return [
    `  ${bytes}${isCut ? `… (${length} bytes)` : ""}`,
    ...frames.map((frame) => `  ${frameText(frame)}`),
    ...(problem === null ? [] : [`  ! ${problem}`]),
    ...(left_out.length === 0 ? [] : [`  ! out of bounds, left out: ${left_out.join(", ")}`]),
    ...(unread.length === 0 ? [] : [`  not read: ${unread.join(", ")}`]),
  ];
}

function outcomeText({ outcome, reply }: ShownMessage): string {
  if (outcome === "not_stored") return "not stored, no reply: the tracker sends it again";
  if (outcome === "other_identity") return "refused: it names another device than the login";
  if (outcome === "other_protocol") return "refused: its tracker_protocol is another one";
  return reply === null ? "no reply needed" : `replied ${reply}`;
}

/** `2026-03-14T08:15:30Z latitude=52.52 longitude=13.4 …` */
function frameText({ recorded_at, ...fields }: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).map(([name, value]) => {
    return `${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
  });
  return [String(recorded_at), ...shown].join(" ");
}

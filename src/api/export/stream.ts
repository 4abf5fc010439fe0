import type { Visibility } from "../../domain/visibility.ts";
import { asFailure, observeFailure } from "../../http/failures.ts";
import type { Observe } from "../../observe/observation.ts";
import type { OpenStreams } from "../cache/open-streams.ts";
import type { FormatName } from "../formats/format.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import { type ResponseContext, respond } from "../respond.ts";
import type { RouteParts } from "../route-parts.ts";
import { nextTurn } from "../turns.ts";
import { exportLists } from "./lists.ts";
import { type ExportPart, type ExportRequest, exportParts, openDocument } from "./pages.ts";

/** A whole list for a user who is authenticated elsewhere. */
export interface ViewerExport extends Omit<ExportRequest, "deviceIds">, ResponseContext {
  readonly visibility: Visibility;
  /** For the log: a pattern. */
  readonly routeName: string;
  readonly format: FormatName;
  readonly fileName: string;
  /** Only these devices; empty: all. */
  readonly deviceIds: readonly string[];
  /** Only devices with one of these tags; empty: all. */
  readonly tags: readonly string[];
}

export interface ExportContext {
  readonly parts: RouteParts;
  /** Apart from the API's own: a list that is exported may itself be streamed. */
  readonly streams: OpenStreams;
  readonly observe: Observe;
}

const beginning = { window: 0, cursor: null };
const encoder = new TextEncoder();

/**
 * Answers with the whole list, sent while it is read: only a page is in memory. The first page is read before the answer
 * begins, so a wrong request is a refusal. A failure after that closes the connection in the middle of the transfer, so that no
 * client takes the part for the whole.
 */
export async function answerExport(context: ExportContext, call: ViewerExport): Promise<Response> {
  const { visibility, format, fileName } = call;
  const place = await context.streams.enter({ caller: visibility.userId, accountId: visibility.accountId });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  const texts = documentTexts(context, call);
  const nextPart = async () => {
    const { value } = await texts.next();
    return value === undefined ? null : encoder.encode(value);
  };
  const body = await place.body(nextPart, () => void texts.return());
  const headers = { "Content-Disposition": `attachment; filename="${fileName}"` };
  return respond({ body, format, headers }, call);
}

/** The text of the file, in parts of about a page. */
async function* documentTexts(context: ExportContext, call: ViewerExport): AsyncGenerator<string, void, void> {
  const document = openDocument(call.path, call.format);
  let ahead = document.start;
  let isBegun = false;
  try {
    for await (const { records } of partsOf(context, call)) {
      if (records.length > 0) ahead += document.records(records.join(","));
      if (!isBegun || ahead !== "") yield ahead;
      ahead = "";
      isBegun = true;
      // Pages without a wanted record are read on without a pause of the reader's.
      await nextTurn();
    }
    yield ahead + document.end(null);
  } catch (error) {
    const { requestId, routeName: route } = call;
    const caller = { userId: call.visibility.userId };
    // Before the first part it becomes the answer, and is logged with that.
    if (isBegun) observeFailure(context.observe, { requestId, route, caller }, asFailure(error));
    throw error;
  }
}

async function* partsOf({ parts }: ExportContext, call: ViewerExport): AsyncGenerator<ExportPart, void, void> {
  const { visibility, deviceIds, tags } = call;
  const [only, ...others] = deviceIds;
  // One device is what the API can be asked for.
  if (only !== undefined && others.length === 0 && tags.length === 0) {
    yield* exportParts(parts, visibility, withDevice(call, only), beginning);
    return;
  }
  const wanted = await wantedDevices(parts, call);
  if (wanted?.size === 0) return;
  yield* exportParts(parts, visibility, { ...call, deviceIds: wanted }, beginning);
}

function withDevice(call: ViewerExport, deviceId: string): ExportRequest {
  return { ...call, filters: { ...call.filters, device_id: deviceId }, deviceIds: null };
}

/** Null: all of them. */
async function wantedDevices(parts: RouteParts, call: ViewerExport): Promise<ReadonlySet<string> | null> {
  const { visibility, deviceIds, tags, now } = call;
  if (tags.length === 0) return deviceIds.length === 0 ? null : new Set(deviceIds);
  const devices = { list: exportLists.devices, path: exportLists.devices.path, filters: {}, windows: [null], now };
  const found = new Set<string>();
  for await (const { records } of exportParts(parts, visibility, devices, beginning)) {
    for (const record of records) {
      const device = JSON.parse(record) as { readonly device_id: string; readonly tags: readonly string[] };
      const isNamed = deviceIds.length === 0 || deviceIds.includes(device.device_id);
      if (isNamed && tags.some((tag) => device.tags.includes(tag))) found.add(device.device_id);
    }
    await nextTurn();
  }
  return found;
}

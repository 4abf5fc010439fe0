import type { Visibility } from "../../domain/visibility.ts";
import { asFailure, observeFailure } from "../../http/failures.ts";
import type { Observe } from "../../observe/observation.ts";
import { type DeviceRow, visibleDevices } from "../../store/devices.ts";
import type { OpenStreams } from "../cache/open-streams.ts";
import type { FormatName } from "../formats/format.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import { type ResponseContext, respond } from "../respond.ts";
import type { RouteParts } from "../route-parts.ts";
import { nextTurn } from "../turns.ts";
import { maxAskedByDevice, partsByDevice, type WantedDevice } from "./by-device.ts";
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
  /** Only what the answer would be: nobody reads the file. */
  readonly isHead: boolean;
  /** Called while a long list is read: the connection is not idle, even if nothing can be sent yet. */
  readonly stayOpen: () => void;
}

export interface ExportContext {
  readonly parts: RouteParts;
  /** Apart from the API's own: a list that is exported may itself be streamed. */
  readonly streams: OpenStreams;
  readonly observe: Observe;
}

const beginning = { window: 0, cursor: null };
const encoder = new TextEncoder();

/** If nothing was found to send for so long, something is wrong. */
const maxSilentMs = 600_000;

/**
 * Answers with the whole list, sent while it is read: only a page is in memory. The first page is read before the answer
 * begins, so a wrong request is a refusal. A failure after that closes the connection in the middle of the transfer, so that no
 * client takes the part for the whole. However a file breaks off, it is logged once.
 */
export async function answerExport(context: ExportContext, call: ViewerExport): Promise<Response> {
  const { visibility, format, fileName, requestId, routeName: route } = call;
  const { userId } = visibility;
  const place = await context.streams.enter({ caller: userId, accountId: visibility.accountId });
  if (typeof place === "string") throw tooManyLongAnswers(place, "person");
  const started = performance.now();
  const state = { isEnded: false };
  const texts = documentTexts(context, call, state);
  const nextPart = async () => {
    const { value } = await texts.next();
    return value === undefined ? null : encoder.encode(value);
  };
  const onLeave = () => {
    if (!state.isEnded && !call.isHead) {
      context.observe({ kind: "download_left", requestId, userId, route, durationMs: performance.now() - started });
    }
    state.isEnded = true;
    void texts.return();
  };
  const body = await place.body(nextPart, onLeave);
  const headers = { "Content-Disposition": `attachment; filename="${fileName}"` };
  if (!call.isHead) return respond({ body, format, headers }, call);
  await body.cancel();
  return new Response(null, respond({ body: "", format, headers }, call));
}

/** The text of the file, in parts of about a page. */
async function* documentTexts(
  context: ExportContext,
  call: ViewerExport,
  state: { isEnded: boolean },
): AsyncGenerator<string, void, void> {
  const document = openDocument(call.path, call.format);
  let ahead = document.start;
  let isBegun = false;
  let sentAt = performance.now();
  try {
    for await (const { records } of partsOf(context, call)) {
      // The reader may have left while the part was read.
      if (state.isEnded) return;
      call.stayOpen();
      if (records.length > 0) ahead += document.records(records.join(","));
      if (!isBegun || ahead !== "") {
        isBegun = true;
        yield ahead;
        ahead = "";
        sentAt = performance.now();
      } else if (performance.now() - sentAt > maxSilentMs)
        throw new Error("a download found nothing to send for too long");
      // Pages without a wanted record are read on without a pause of the reader's.
      await nextTurn();
    }
    state.isEnded = true;
    yield ahead + document.end(null);
  } catch (error) {
    const { requestId, routeName: route } = call;
    const caller = { userId: call.visibility.userId };
    // Before the first part it becomes the answer, and is logged with that.
    if (isBegun && !state.isEnded) observeFailure(context.observe, { requestId, route, caller }, asFailure(error));
    state.isEnded = true;
    throw error;
  }
}

async function* partsOf({ parts }: ExportContext, call: ViewerExport): AsyncGenerator<ExportPart, void, void> {
  const { visibility, tags } = call;
  const deviceIds = new Set(call.deviceIds);
  const [only, ...others] = deviceIds;
  // One device is what the API can be asked for; if it cannot be seen, that is the answer.
  if (only !== undefined && others.length === 0 && tags.length === 0) {
    const filters = { ...call.filters, device_id: only };
    yield* exportParts(parts, visibility, { ...call, filters, deviceIds: null }, beginning);
    return;
  }
  const wanted = await wantedDevices(parts, visibility, { deviceIds, tags: new Set(tags) });
  if (wanted === null) yield* exportParts(parts, visibility, { ...call, deviceIds: null }, beginning);
  else if (wanted.length > maxAskedByDevice) {
    const ids = new Set(wanted.map(({ id }) => id));
    yield* exportParts(parts, visibility, { ...call, deviceIds: ids }, beginning);
  } else if (wanted.length > 0) yield* partsByDevice(parts, visibility, { ...call, deviceIds: null }, wanted);
}

interface Selection {
  readonly deviceIds: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

const devicesPerTurn = 500;

/** Those in sight that fit; null: all in sight, and they are many. */
async function wantedDevices(
  { database }: RouteParts,
  visibility: Visibility,
  { deviceIds, tags }: Selection,
): Promise<readonly WantedDevice[] | null> {
  if (deviceIds.size === 0 && tags.size === 0) return null;
  const found: WantedDevice[] = [];
  let seen = 0;
  let after: string | null = null;
  do {
    const page = { after, count: devicesPerTurn, status: null, search: null };
    const rows: DeviceRow[] = await visibleDevices(database, visibility, page);
    for (const { id, device, tags_json } of rows) {
      const isNamed = deviceIds.size === 0 || deviceIds.has(id);
      const hasTag = tags.size === 0 || (JSON.parse(tags_json) as string[]).some((tag) => tags.has(tag));
      if (isNamed && hasTag) found.push({ id, number: device });
    }
    seen += rows.length;
    after = rows.length < devicesPerTurn ? null : (rows.at(-1)?.id ?? null);
    await nextTurn();
  } while (after !== null);
  return found.length === seen && seen > maxAskedByDevice ? null : found;
}

import { extname } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { readCsv } from "../../intake/formats/csv.ts";
import { readGpx } from "../../intake/formats/gpx.ts";
import type { SpeedUnit } from "../../intake/formats/units.ts";
import type { ImportedPoint } from "../../intake/incoming-frame.ts";
import type { ByteSource } from "../common/input-file.ts";

export interface TrackOptions {
  readonly imei: string;
  /** Null if the option is not given. */
  readonly speedUnit: SpeedUnit | null;
}

const formatByExtension: Readonly<Record<string, "gpx" | "csv">> = {
  ".gpx": "gpx",
  ".csv": "csv",
  ".tsv": "csv",
  ".txt": "csv",
};

/** Yields the points of a track in the order of the file. Throws a `Failure` if the file is no track. */
export async function* readTrack(
  source: ByteSource,
  path: string,
  { imei, speedUnit }: TrackOptions,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): AsyncGenerator<ImportedPoint> {
  const pieces = decoded(source, path, onProgress);
  const { value: first = "" } = await pieces.next();
  const format = formatByExtension[extname(path).toLowerCase()] ?? (first.trimStart()[0] === "<" ? "gpx" : "csv");
  const all = startingWith(first, pieces);
  if (format === "csv") {
    yield* readCsv(all, { imei, speedUnit: speedUnit ?? "kmh" });
    return;
  }
  if (speedUnit !== null) {
    throw new Failure("WRONG_CALL", "--speed-unit is for tables: the speeds of a GPX track are in metres per second");
  }
  yield* readGpx(all, imei);
}

async function* decoded(
  source: ByteSource,
  path: string,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): AsyncGenerator<string> {
  // It drops the byte order mark that some programs put in front.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Failure("FILE_UNREADABLE", `${path} is not UTF-8`);
    }
  };
  let doneBytes = 0;
  for await (const chunk of source.read()) {
    yield decode(chunk);
    doneBytes += chunk.byteLength;
    onProgress(doneBytes, source.totalBytes);
  }
  yield decode();
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** Each character takes at most three bytes, and the server takes a mebibyte at once. */
export const maxPieceLength = 340_000;

export interface TrackPiece {
  readonly text: string;
  /** Lines of the file that are not in it, before its points. */
  readonly skippedLines: number;
}

/**
 * A file with a track in pieces that are tracks by themselves, in the order of the file. Null: it cannot be cut so that all
 * pieces are short enough. Pure.
 */
export function trackPieces(text: string, maxLength = maxPieceLength): readonly TrackPiece[] | null {
  if (text.length <= maxLength) return [{ text, skippedLines: 0 }];
  return text.trimStart().startsWith("<") ? gpxPieces(text, maxLength) : tablePieces(text, maxLength);
}

const endOfPoint = "</trkpt>";
const endOfTrack = "</trkseg></trk></gpx>";

/** After a point a segment is open, whatever follows it. */
function gpxPieces(text: string, maxLength: number): readonly TrackPiece[] | null {
  const begin = text.search(/<trkpt[\s>]/);
  if (begin === -1) return null;
  return cut(text, begin, endOfPoint, endOfTrack, maxLength);
}

function tablePieces(text: string, maxLength: number): readonly TrackPiece[] | null {
  const begin = text.indexOf("\n") + 1;
  return begin === 0 ? null : cut(text, begin, "\n", "", maxLength);
}

/** What comes before `begin` stands before each piece; all but the last end after `mark`, and then with `end`. */
function cut(text: string, begin: number, mark: string, end: string, maxLength: number): readonly TrackPiece[] | null {
  const head = text.slice(0, begin);
  const room = maxLength - head.length - end.length;
  const pieces: TrackPiece[] = [];
  const add = (upTo: number, close: string) => {
    pieces.push({ text: head + text.slice(from, upTo) + close, skippedLines });
    skippedLines += text.slice(from, upTo).split("\n").length - 1;
    from = upTo;
  };
  let [from, skippedLines] = [begin, 0];
  while (text.length - from > room) {
    const at = room > 0 ? text.lastIndexOf(mark, from + room - mark.length) : -1;
    if (at < from) return null;
    add(at + mark.length, end);
  }
  add(text.length, "");
  return pieces;
}

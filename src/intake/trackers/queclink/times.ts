const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Offsets from UTC that are in use and are no whole hours, in minutes. */
const oddOffsets = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825];
const [minOffset, maxOffset] = [-12 * 60, 14 * 60];

/** How much later, or earlier by its own clock, a message may be sent than the fix it reports as of now. */
const [maxDelayMs, maxEarlyMs] = [2 * minuteMs, minuteMs];

/** The time of sending is local. Until its offset is known, it counts as UTC. */
export function sentAtUtc(sentAt: number | null, zoneMinutes: number | null): number | null {
  return sentAt === null ? null : sentAt - (zoneMinutes ?? 0) * minuteMs;
}

/**
 * The offset of the local time, in minutes, if a message was sent as its fix was made: the time of a fix is always UTC. Null: in
 * no zone of the world was it sent then.
 */
export function offsetShown(fixAt: number, sentAt: number): number | null {
  const difference = sentAt - fixAt;
  const wholeHours = Math.round(difference / hourMs) * 60 + 0;
  const isShown = (offset: number) =>
    offset >= minOffset && offset <= maxOffset && isSmall(difference - offset * minuteMs);
  return [wholeHours, ...oddOffsets].find(isShown) ?? null;
}

/**
 * Whether a fix was made as the message was sent. Without a known offset it is enough that it would be so in some zone: then the
 * time of the fix is right in any case, while the time of sending may be hours off.
 */
export function isFresh(fixAt: number, sentAt: number | null, zoneMinutes: number | null): boolean {
  if (sentAt === null) return true;
  const difference = sentAt - fixAt;
  if (zoneMinutes !== null) return isSmall(difference - zoneMinutes * minuteMs);
  // Nothing is sent before its fix was made: the local time is behind UTC, by how much is not known.
  return difference < -maxEarlyMs || offsetShown(fixAt, sentAt) !== null;
}

function isSmall(delayMs: number): boolean {
  return delayMs >= -maxEarlyMs && delayMs <= maxDelayMs;
}

/** `+0530` and whether daylight saving is on, in minutes. */
export function offsetOf(zone = "", daylightSaving = ""): number | null {
  const match = /^([+-])(\d\d)(\d\d)$/.exec(zone);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  const offset = (match[1] === "-" ? -minutes : minutes) + (daylightSaving === "1" ? 60 : 0);
  return offset >= minOffset && offset <= maxOffset ? offset : null;
}

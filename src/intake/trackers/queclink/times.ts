const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Offsets ahead of UTC that are in use and are no whole hours, in minutes. */
const oddOffsets = [210, 270, 330, 345, 390, 525, 570, 630, 765, 825];
const [minOffset, maxOffset] = [-12 * 60, 14 * 60];

/** How much later, or earlier by its own clock, a message may be sent than the fix it reports as of now. */
const [maxDelayMs, maxEarlyMs] = [2 * minuteMs, minuteMs];

/** The time of sending is local: report INF names the offset. Until one came, it counts as UTC. */
export function sentAtUtc(sentAt: number | null, zoneMinutes: number | null): number | null {
  return sentAt === null ? null : sentAt - (zoneMinutes ?? 0) * minuteMs;
}

/**
 * Whether a fix, whose time is always UTC, was made as the message was sent. Without a known offset it is enough that it would
 * be so in some zone: then the time of the fix is right in any case, while the time of sending may be hours off.
 */
export function isFresh(fixAt: number, sentAt: number | null, zoneMinutes: number | null): boolean {
  if (sentAt === null) return true;
  const difference = sentAt - fixAt;
  if (zoneMinutes !== null) return isSmall(difference - zoneMinutes * minuteMs);
  // Nothing is sent before its fix was made: the local time is behind UTC, by how much is not known.
  if (difference < -maxEarlyMs) return true;
  const wholeHours = Math.round(difference / hourMs) * 60;
  return [wholeHours, ...oddOffsets].some((offset) => offset <= maxOffset && isSmall(difference - offset * minuteMs));
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

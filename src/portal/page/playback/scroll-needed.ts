interface Extent {
  readonly top: number;
  readonly bottom: number;
}

/** How far to scroll: not at all if it is in sight, else so that what comes next is in sight, too. Pure. */
export function scrollNeeded(outer: Extent, inner: Extent): number {
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return 0;
  const room = outer.bottom - outer.top - (inner.bottom - inner.top);
  return Math.round(inner.top - outer.top - Math.max(0, room) / 3);
}

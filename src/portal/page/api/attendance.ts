/** How long after the last touch somebody still counts as being there. */
const attendedMs = 60_000;

let lastTouchAt = 0;

/** Somebody does something. */
export function noteTouch(now: number): void {
  lastTouchAt = now;
}

/** Notes whatever a person does at the page. To open it is the first of that. */
export function watchAttendance(): void {
  const touch = () => noteTouch(Date.now());
  touch();
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(name, touch, { capture: true, passive: true });
  }
}

/** What a page asks for on an empty desk must not keep the session from ending. */
export function attendanceHeader(now: number): Record<string, string> {
  return now - lastTouchAt > attendedMs ? { "X-Odograph-Unattended": "1" } : {};
}

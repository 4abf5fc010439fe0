/** How long after the last touch a person still counts as present. */
const attendedMs = 60_000;

let lastTouchAt = 0;

/** Records that a person used the page. */
export function noteTouch(now: number): void {
  lastTouchAt = now;
}

/** Records every use of the page, beginning with opening it. */
export function watchAttendance(): void {
  const touch = () => noteTouch(Date.now());
  touch();
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(name, touch, { capture: true, passive: true });
  }
}

/** Marks requests that nobody is there for: they must not prolong the session. */
export function attendanceHeader(now: number): Record<string, string> {
  return now - lastTouchAt > attendedMs ? { "X-Odograph-Unattended": "1" } : {};
}

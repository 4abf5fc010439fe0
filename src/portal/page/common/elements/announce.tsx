import { useSyncExternalStore } from "react";

let message = "";
const listeners = new Set<() => void>();

/** Says something to screen readers. The same text said twice is read twice. */
export function announce(text: string): void {
  message = text === message ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}

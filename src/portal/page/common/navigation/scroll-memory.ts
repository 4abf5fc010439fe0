/** How long a page may take until it is as it was: rows and the names of places come one after another. */
const patienceMs = 4000;

/** Where each entry of the history was scrolled to. */
const places = new Map<number, number>();
let isReturning = false;
let stopReturning = () => {};

function entry(): number {
  return typeof history.state?.entry === "number" ? history.state.entry : 0;
}

export function nextEntry(): { readonly entry: number } {
  return { entry: Math.max(entry(), ...places.keys()) + 1 };
}

/** Remembers how far down each page was. The browser's own way knows nothing of rows that are loaded later. */
export function rememberScrolling(): void {
  history.scrollRestoration = "manual";
  const note = () => {
    // What moves while a page grows is not where the person was.
    if (!isReturning) places.set(entry(), scrollY);
  };
  addEventListener("scroll", note, { passive: true });
}

export function beginAtTop(): void {
  stopReturning();
  scrollTo(0, 0);
  places.set(entry(), 0);
}

/** Back to where this entry of the history was, while the page grows, unless the person moves it meanwhile. */
export function returnToPlace(): void {
  stopReturning();
  const wanted = places.get(entry()) ?? 0;
  const growth = new ResizeObserver(() => scrollTo(0, wanted));
  const timer = setTimeout(() => stopReturning(), patienceMs);
  const moves = ["wheel", "touchmove", "keydown", "pointerdown"];
  isReturning = true;
  stopReturning = () => {
    isReturning = false;
    growth.disconnect();
    clearTimeout(timer);
    for (const name of moves) removeEventListener(name, stopReturning);
    stopReturning = () => {};
  };
  for (const name of moves) addEventListener(name, stopReturning, { passive: true });
  growth.observe(document.body);
}

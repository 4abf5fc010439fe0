import { type MouseEvent, type ReactNode, useSyncExternalStore } from "react";
import { staysBelow } from "../../../../domain/text/own-path.ts";
import { isLeaveStopped } from "./leave-guard.ts";

/** The path below /portal, and the query. Each view has an address that can be saved and shared. */
export interface PageRoute {
  readonly path: string;
  readonly query: URLSearchParams;
}

const base = "/portal";
const listeners = new Set<() => void>();

let shown: string | null = null;

function here(): string {
  return location.pathname + location.search;
}

function subscribe(listener: () => void): () => void {
  if (shown === null) {
    shown = here();
    addEventListener("popstate", followBrowser);
    rememberScrolling();
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Back and Forward change the address before the guard can ask. To stay, the old address is pushed again. */
function followBrowser(): void {
  const before = shown;
  if (isLeaveStopped(() => history.back())) history.pushState(nextEntry(), "", before);
  else {
    notifyListeners();
    returnToPlace();
  }
}

function notifyListeners(): void {
  shown = here();
  for (const listener of listeners) listener();
}

export function useRoute(): PageRoute {
  const address = useSyncExternalStore(subscribe, here);
  const [path = "", query = ""] = address.split("?");
  return { path: below(path), query: new URLSearchParams(query) };
}

function below(pathname: string): string {
  return pathname.slice(base.length) || "/";
}

/** Whether the address still has this path. What was rendered may be a moment behind. */
export function isAt(path: string): boolean {
  return below(location.pathname) === path;
}

/** Whether an address that a person may have made leads to a view of ours. */
export function isOwnPath(to: string): boolean {
  return staysBelow(base, to);
}

/** Goes to another view. With `replace`, Back skips the present one. */
export function navigate(to: string, { replace = false } = {}): void {
  if (base + to === here()) return;
  if (isLeaveStopped(() => go(to, replace))) return;
  go(to, replace);
}

/** Goes to a view as another person: what this page has loaded was for the one before, and is forgotten with it. */
export function openAsAnother(to: string): void {
  location.assign(base + to);
}

function go(to: string, replace: boolean): void {
  if (replace) history.replaceState(history.state, "", base + to);
  else history.pushState(nextEntry(), "", base + to);
  notifyListeners();
  if (!replace) beginAtTop();
}

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: boolean;
  /** What it is for screen readers, where the text alone does not say it. */
  readonly label?: string;
  /** Opens in another tab: the form that it is in must not be left. */
  readonly isBeside?: boolean;
}

/** A real link: it can be opened in another tab, and it works with the keyboard. */
export function Link({ to, children, className, current = false, label, isBeside = false }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (isBeside || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      href={base + to}
      className={className}
      aria-current={current ? "page" : undefined}
      aria-label={label}
      target={isBeside ? "_blank" : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}

/** How long a page may take until it is as it was: rows and the names of places come one after another. */
const patienceMs = 4000;

/** Where each entry of the history was scrolled to. */
const places = new Map<number, number>();
let isReturning = false;
let stopReturning = () => {};

function entry(): number {
  return typeof history.state?.entry === "number" ? history.state.entry : 0;
}

function nextEntry(): { readonly entry: number } {
  return { entry: Math.max(entry(), ...places.keys()) + 1 };
}

/** Remembers how far down each page was. The browser's own way knows nothing of rows that are loaded later. */
function rememberScrolling(): void {
  history.scrollRestoration = "manual";
  const note = () => {
    // What moves while a page grows is not where the person was.
    if (!isReturning) places.set(entry(), scrollY);
  };
  addEventListener("scroll", note, { passive: true });
}

function beginAtTop(): void {
  stopReturning();
  scrollTo(0, 0);
  places.set(entry(), 0);
}

/** Back to where this entry of the history was, while the page grows, unless the person moves it meanwhile. */
function returnToPlace(): void {
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

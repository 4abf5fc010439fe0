import { type MouseEvent, type ReactNode, useSyncExternalStore } from "react";

/** Where the page is: the path below /portal, and the query. Each view has an address that can be kept and sent on. */
export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

const base = "/portal";
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  const [path = "", query = ""] = address.split("?");
  return { path: path.slice(base.length) || "/", query: new URLSearchParams(query) };
}

/** Goes to another view. With `replace` the way back does not come by here again. */
export function navigate(to: string, { replace = false } = {}): void {
  if (base + to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", base + to);
  else history.pushState(null, "", base + to);
  for (const listener of listeners) listener();
}

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: boolean;
}

/** A real link: it can be opened in another tab, and it works with the keyboard. */
export function Link({ to, children, className, current = false }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={base + to} className={className} aria-current={current ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}

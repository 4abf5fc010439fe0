import type { ReactNode } from "react";
import { PortalError } from "../api/request.ts";
import { Icon, type IconName } from "./icon.tsx";

interface NoticeProps {
  readonly kind: "error" | "warning" | "info" | "success";
  readonly children: ReactNode;
}

const icons: Record<NoticeProps["kind"], IconName> = {
  error: "alert",
  warning: "alert",
  info: "info",
  success: "check",
};

export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className={`notice notice-${kind}`} role={kind === "error" ? "alert" : undefined}>
      <Icon name={icons[kind]} />
      <div>{children}</div>
    </div>
  );
}

export function errorWords(error: unknown): string {
  return error instanceof PortalError ? error.message : "Something went wrong in this page. Reloading it may help.";
}

/** What went wrong, with a button to try again. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isKnown = error instanceof PortalError;
  // Trying again would not help.
  const isGone = isKnown && error.status === 404;
  return (
    <Notice kind="error">
      <p>{errorWords(error)}</p>
      {isKnown && error.status >= 500 && error.requestId !== null && (
        <p className="small">
          If it stays so, tell support this number: <code>{error.requestId}</code>
        </p>
      )}
      {retry && !isGone && (
        <button type="button" className="button button-small" onClick={retry}>
          Try again
        </button>
      )}
    </Notice>
  );
}

import type { ReactNode } from "react";
import { PortalError } from "../../api/request.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { Button } from "../elements/button.tsx";
import { Icon, type IconName } from "../elements/icon.tsx";
import { errorWords } from "./error-words.ts";
import type { Loading } from "./use-load.ts";

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

export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const texts = useTexts();
  const isKnown = error instanceof PortalError;
  // Trying again would not help.
  const isGone = isKnown && error.status === 404;
  return (
    <Notice kind="error">
      <p>{errorWords(error, texts)}</p>
      {isKnown && error.status >= 500 && error.requestId !== null && (
        <p className="hint">
          {texts.common.supportNumber} <code>{error.requestId}</code>
        </p>
      )}
      {retry && !isGone && <Button look="small" text={texts.common.tryAgain} onClick={retry} />}
    </Notice>
  );
}

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** Where nothing else on the page has a heading. */
  readonly isWholePage?: boolean;
  readonly children: ReactNode;
}

export function EmptyState({ icon, title, isWholePage = false, children }: EmptyStateProps) {
  const Heading = isWholePage ? "h1" : "h2";
  return (
    <div className="empty grid gap-3">
      <span className="empty-icon grid round">
        <Icon name={icon} />
      </span>
      <Heading>{title}</Heading>
      <div className="empty-text grid gap-3 quiet">{children}</div>
    </div>
  );
}

export function LoadingState({ label }: { readonly label?: string }) {
  const { common } = useTexts();
  return (
    <div className="loading row gap-3 quiet" role="status">
      <span className="spinner round" aria-hidden="true" />
      {label ?? common.loading}…
    </div>
  );
}

/** Why there is nothing to show yet, or nothing new. */
export function LoadState({ loaded, reload }: Pick<Loading<unknown>, "loaded" | "reload">) {
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  return loaded.state === "loading" && loaded.data === null ? <LoadingState /> : null;
}

import type { ReactNode } from "react";
import { PortalError } from "../api/request.ts";
import type { Texts } from "../texts/texts.ts";
import { useTexts } from "../texts/use-texts.ts";
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

/** What went wrong, in the person's language. */
export function errorWords(error: unknown, { errors }: Pick<Texts, "errors">): string {
  if (!(error instanceof PortalError)) return errors.pageFault;
  const { code, waitSeconds } = error;
  switch (code) {
    case "UNREACHABLE":
      return errors.unreachable;
    case "TOO_MANY_ATTEMPTS":
      return errors.tooManyAttempts(
        waitSeconds > 90
          ? errors.minutes(String(Math.ceil(waitSeconds / 60)))
          : errors.seconds(String(waitSeconds || 60)),
      );
    case "RATE_LIMITED":
      return errors.rateLimited;
    case "NOT_SIGNED_IN":
      return errors.wrongSignIn;
    case "NOT_FOUND":
      return errors.notFound;
    case "NO_SUCH_PERSON":
      return errors.noSuchPerson;
    case "SIGN_IN_UNFINISHED":
      return errors.signInUnfinished;
    case "PROVIDER_UNAVAILABLE":
      return errors.providerUnavailable;
    case "INTERNAL":
      return errors.failed;
    case "UNAVAILABLE":
      return errors.busy;
    case "FORBIDDEN":
      return errors.forbidden;
    // The server's own words, in English, say more than ours.
    default:
      return error.message || errors.refused;
  }
}

/** What is wrong with the fields of a form. */
export function fieldProblems(error: unknown, { errors }: Pick<Texts, "errors">): Readonly<Record<string, string>> {
  if (!(error instanceof PortalError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([name, problem]) => [name, errors.fields[name] ?? problem]),
  );
}

/** What went wrong, with a button to try again. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const texts = useTexts();
  const isKnown = error instanceof PortalError;
  // Trying again would not help.
  const isGone = isKnown && error.status === 404;
  return (
    <Notice kind="error">
      <p>{errorWords(error, texts)}</p>
      {isKnown && error.status >= 500 && error.requestId !== null && (
        <p className="small">
          {texts.common.supportNumber} <code>{error.requestId}</code>
        </p>
      )}
      {retry && !isGone && (
        <button type="button" className="button button-small" onClick={retry}>
          {texts.common.tryAgain}
        </button>
      )}
    </Notice>
  );
}

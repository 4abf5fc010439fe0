/** Where mails are handed over. */
export interface SmtpAddress {
  /** As it was written. It holds no secret. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise the connection begins in plain text and is upgraded. */
  readonly isTlsFromStart: boolean;
  /** Whether a connection that cannot be upgraded, or whose certificate cannot be checked, is used all the same. */
  readonly mayBePlain: boolean;
  /** Null: the server asks for no sign-in. */
  readonly user: string | null;
}

export const smtpExpected =
  "smtp://user@host:587 or smtps://user@host:465, without a password: that belongs in ODOGRAPH_SMTP_PASSWORD or a file";

const usualPorts = { "smtp:": 587, "smtps:": 465 } as const;

/** Null if it is no such address. A password in it is refused: arguments and logs are read by others. */
export function readSmtpAddress(text: string): SmtpAddress | null {
  if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = url;
  const hasMore = pathname.length > 1 || hash !== "" || [...searchParams.keys()].some((name) => name !== "insecure");
  const insecure = searchParams.get("insecure") ?? "false";
  if (hostname === "" || password !== "" || hasMore || !["true", "false"].includes(insecure)) return null;
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    url: text,
    host,
    port: port === "" ? usualPorts[protocol === "smtps:" ? "smtps:" : "smtp:"] : Number(port),
    isTlsFromStart: protocol === "smtps:",
    mayBePlain: insecure === "true" || isThisMachine(host),
    user: username === "" ? null : decoded(username),
  };
}

/** Nobody listens between a program and a mail server on the same machine. */
function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

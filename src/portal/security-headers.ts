import type { MapStyles } from "./route.ts";

/**
 * The headers of every answer under /portal. By default no request leaves the machine: only a configured map style, with
 * its files, may be loaded from elsewhere.
 */
export function securityHeaders({ light, dark }: MapStyles): Readonly<Record<string, string>> {
  const origins = new Set([light, dark].filter((style) => style !== null).map((style) => new URL(style).origin));
  const mapOrigin = [...origins].map((origin) => ` ${origin}`).join("");
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' data: blob:${mapOrigin}`,
    `connect-src 'self'${mapOrigin}`,
    // The map draws in a worker that it makes itself.
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchAttendance } from "./api/attendance.ts";
import { PortalError } from "./api/request.ts";
import { App } from "./app.tsx";
import { ShareApp } from "./share/share-app.tsx";

watchAttendance();

const root = document.getElementById("root");
if (root) {
  createRoot(root, { onCaughtError: report }).render(
    <StrictMode>{location.pathname === "/share" ? <ShareApp /> : <App />}</StrictMode>,
  );
}

/** A refusal that the page shows is no fault of the page. */
function report(error: unknown): void {
  if (!(error instanceof PortalError)) console.error(error);
}

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchAttendance } from "./api/attendance.ts";
import { App } from "./app.tsx";

watchAttendance();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

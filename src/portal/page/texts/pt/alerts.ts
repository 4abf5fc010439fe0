import type { Texts } from "../texts.ts";

export const alerts: Texts["alerts"] = { title: "Alertas" };

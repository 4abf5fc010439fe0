import type { Texts } from "../texts.ts";

export const reports: Texts["reports"] = { title: "Berichte" };

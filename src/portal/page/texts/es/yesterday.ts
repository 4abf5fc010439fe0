import type { Texts } from "../texts.ts";

export const yesterday: Texts["yesterday"] = { title: "Ayer" };

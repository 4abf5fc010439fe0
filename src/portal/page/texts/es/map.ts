import type { Texts } from "../texts.ts";

export const map: Texts["map"] = { title: "Mapa" };

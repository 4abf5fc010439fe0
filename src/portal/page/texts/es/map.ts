import type { Texts } from "../texts.ts";

export const map: Texts["map"] = {
  title: "Mapa",
  canvas: "Mapa. Las flechas lo mueven; más y menos acercan y alejan",
  styleUnusable: "No se puede cargar el estilo de mapa configurado. Este es el mapa incluido.",
  streetsUnusable: "No se pueden cargar las calles. Este es el mapa general.",
};

import type { Texts } from "../texts.ts";

export const map: Texts["map"] = {
  title: "Mapa",
  canvas: "Mapa. As setas movem; mais e menos aproximam e afastam",
  styleUnusable: "Não foi possível carregar o estilo de mapa configurado. Este é o mapa incluído.",
  streetsUnusable: "Não foi possível carregar as ruas. Este é o mapa geral.",
};

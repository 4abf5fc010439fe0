import type { Texts } from "../texts.ts";

export const trackerFaults: Texts["trackerFaults"] = {
  fast: (by) => `O relógio do rastreador está ${by} adiantado.`,
  slow: (by) => `O relógio do rastreador está ${by} atrasado.`,
  notBelieved:
    "Os envios parecem vir do futuro, por isso todos são rejeitados: não há viagens, quilômetros nem alertas.",
  wrongTimes: "Viagens, alertas e posições aparecem em horários errados.",
  remedy: "Informe ao portal o que o relógio mostra, e os próximos envios ficam certos:",
  set: (clock) => `ajustá-lo para ${clock}`,
  ownerSets: "Só o titular da conta pode ajustá-lo.",
  twins: {
    what: "Dois rastreadores usam este IMEI.",
    so: "Os envios alternam entre dois lugares muito distantes. Um deles está com o IMEI errado ou com uma cópia das configurações do outro; ou um deles continua enviando uma posição antiga. O veículo segue o que anda.",
  },
};

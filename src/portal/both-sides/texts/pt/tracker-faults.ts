import type { Texts } from "../texts.ts";

export const trackerFaults: Texts["trackerFaults"] = {
  fast: (by) => `O relógio do rastreador está ${by} adiantado.`,
  slow: (by) => `O relógio do rastreador está ${by} atrasado.`,
  notBelieved: "Os envios parecem vir do futuro, por isso nenhum é aceito: sem viagens, sem quilômetros, sem alertas.",
  wrongTimes: "Viagens, alertas e posições aparecem em horários errados.",
  remedy: "Quando o portal souber o que o relógio mostra, os próximos envios ficam certos:",
  set: (clock) => `ajustá-lo para ${clock}`,
  ownerSets: "Só o titular da conta pode ajustá-lo.",
  twins: {
    what: "Dois rastreadores usam este IMEI.",
    so: "Os envios alternam entre dois lugares muito distantes. Um deles está com o IMEI errado ou com uma cópia das configurações do outro; ou este continua enviando um lugar antigo. O veículo segue o que anda.",
  },
};

import type { AdministrationTexts } from "../../texts.ts";

export const start: AdministrationTexts["start"] = {
  title: "Seu primeiro veículo no mapa",
  what: "Você pode sair a qualquer momento e continuar depois.",
  lookAround: "Olhar o portal antes",
  question: "O que você tem?",
  other: "Outra coisa",
  have: {
    tracker: {
      title: "Um rastreador com chip (SIM)",
      what: "Ele se conecta sozinho a este servidor. Escolha o modelo, envie algumas linhas e veja-o se conectar.",
    },
    phone: {
      title: "Um celular",
      what: "Um aplicativo informa onde ele está: Traccar Client, OwnTracks ou OsmAnd.",
    },
    gateway: {
      title: "Outro gateway",
      what: "O Traccar, um broker MQTT ou um programa seu envia para cá o que recebe dos rastreadores.",
    },
    file: {
      title: "Uma tabela de veículos, ou um arquivo GPX ou CSV",
      what: "Nomes e IMEIs em um arquivo CSV ou em células para colar; ou viagens gravadas em outro lugar.",
    },
    look: {
      title: "Nada ainda, só olhar",
      what: "Uma frota inventada em uma conta própria. Não envia e-mails a ninguém e pode ser apagada a qualquer momento.",
    },
  },
  phoneImeiHint:
    "15 dígitos com que o aplicativo se identifica. Estes são inventados; só os mude se ele já tiver outros.",
  fileDone: "Os veículos já estão na sua frota. Aparecem no mapa assim que enviarem dados.",
  tableTitle: "Veículos de uma tabela",
  track: {
    title: "Uma viagem gravada",
    what: "Os pontos de um arquivo GPX, ou de um arquivo CSV com horários e posições. São guardados como se o veículo os tivesse enviado.",
    vehicle: "Veículo",
    imeiHint: "Estes 15 dígitos são inventados. Digite os do rastreador se ele também for enviar posições para cá.",
    file: "Arquivo GPX ou CSV",
    storing: (percent) => `Guardando: ${percent}`,
    stored: (count, shown) => (count === 1 ? "Um ponto foi guardado." : `${shown} pontos foram guardados.`),
    there: (shown) => `Já existiam: ${shown}.`,
    leftOut: (shown, line) => `Omitidos: ${shown}, o primeiro na linha ${line}.`,
    wrong: "Não é nem uma trilha GPX nem uma tabela com horários e posições.",
    large: "Uma linha deste arquivo é longa demais para ser enviada.",
    show: "Mostrar a viagem",
  },
  appStep: "Configurar o aplicativo",
  appNumber: "Número do aplicativo",
  lookWhat:
    "43 veículos inventados em Berlim e arredores, com uma semana de histórico, motoristas, alertas e relatórios. Eles têm uma conta à parte: nada se mistura com os seus dados e ninguém recebe e-mails.",
  lookMake: "Criar",
  lookMaking: "Está sendo criada; leva cerca de um minuto",
  lookReady: "Ela está pronta.",
  lookEnter: "Ver",
  lookErase: "Apagar",
  lookEnding: "Está sendo apagada",
  lookNot:
    "Este servidor só a cria enquanto tem uma única conta. No seu próprio computador, você sempre pode tê-la: npx odograph demo.",
};

export const keptMails: AdministrationTexts["keptMails"] = {
  title: "E-mails",
  what: "O que as pessoas desta frota inventada teriam recebido por e-mail. Nada foi enviado.",
  none: "Nenhum e-mail ainda",
  noneWhat: "Eles chegam com os próximos alertas e relatórios.",
  to: "Para",
  open: "Ver como na caixa de entrada",
  files: "Arquivos",
};

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
      what: "Ele chama este servidor sozinho. Escolha o modelo, envie algumas linhas e veja-o chegar.",
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
      title: "Uma tabela de veículos",
      what: "Nomes e IMEIs em um arquivo CSV, ou em células para colar.",
    },
    look: {
      title: "Nada ainda, só olhar",
      what: "Uma frota inventada em uma conta própria. Não envia e-mails a ninguém e pode ser apagada a qualquer momento.",
    },
  },
  phoneImeiHint:
    "15 dígitos com que o aplicativo se identifica. Estes são inventados; só os mude se ele já tiver outros.",
  fileDone: "Os veículos já estão na sua frota. Aparecem no mapa assim que enviarem dados.",
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
    "Este servidor só a cria enquanto tem uma única conta. No próprio computador qualquer pessoa pode tê-la: npx odograph demo.",
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

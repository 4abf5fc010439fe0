import type { AdministrationTexts } from "../../texts.ts";

export const connect: AdministrationTexts["connect"] = {
  title: "Conectar um rastreador",
  what: "Para rastreadores com chip que chamam este servidor por conta própria. Tenha à mão o rastreador e um telefone que possa enviar um SMS a ele.",
  offer: "Um rastreador com chip?",
  offerWhat:
    "Ele chama este servidor por conta própria, sem token. Escolha o modelo, envie algumas linhas e veja-o chegar.",
  modelStep: "Qual é o rastreador?",
  search: "Procurar um modelo",
  notFound:
    "Nenhum modelo com este nome é conhecido aqui. Escolha abaixo o fabricante ou o protocolo; o manual indica qual é.",
  families: "Ou escolha o fabricante ou o protocolo",
  other: "Escolher outro",
  linesStep: "Diga a ele para onde chamar",
  closed: (family) => `Este servidor ainda não atende rastreadores ${family}.`,
  closedWhat:
    "Nenhum rastreador deste tipo consegue chegar até que quem administra o servidor o inicie com esta configuração e abra a porta:",
  setting: "Configuração do servidor",
  orVariable: "Ou como variável de ambiente:",
  guess: (host) =>
    `O endereço ${host} é uma suposição: o do seu navegador. Se os rastreadores chegam ao servidor por outro, quem o administra pode indicá-lo.`,
  local: (host) =>
    `Só esta máquina ou a rede dela alcança ${host}. Um rastreador com chip não: ele precisa de um endereço da internet.`,
  bySms: "Envie estes SMS para o número do chip, um por um. Espere a resposta depois de cada um.",
  byCommand:
    "Envie estas linhas por SMS para o número do chip, ou com o programa do fabricante. Espere a resposta depois de cada uma.",
  anyModel: "A maioria dos modelos entende estas linhas. Se ele não responder, o manual tem as próprias.",
  twoSpaces:
    "Cada uma começa com dois espaços, a menos que o rastreador tenha um usuário de SMS. Eles são copiados com a linha.",
  apn: "Ponto de acesso (APN) do chip",
  apnHint: "A operadora do chip informa, por exemplo internet.",
  apnUser: "Usuário (quase nunca)",
  apnSecret: "Senha (quase nunca)",
  code: {
    password: (usual) => `Senha do rastreador (os novos têm ${usual})`,
    model: () => "Senha do rastreador (o modelo em letras minúsculas, por exemplo gv300)",
    login: () => "Usuário e senha de SMS do rastreador (quase nunca)",
  },
  lineMeanings: {
    reset: "Restaura as configurações",
    apn: "Internet móvel do chip",
    apnUser: "Usuário do ponto de acesso",
    apnSecret: "Senha do ponto de acesso",
    server: "Endereço e porta deste servidor",
    serverPort: "Porta deste servidor",
    restart: "Reinicia o rastreador",
    overTcp: "Envia por TCP",
    dataOn: "Envia por dados móveis (nem todo modelo tem isto)",
    utc: "Acerta o relógio para UTC",
    interval: "Uma posição a cada 20 a 30 segundos",
    intervalOff: "A cada 5 minutos com a ignição desligada",
    moreFields: "Envia mais: ignição, porta, combustível (nem todo modelo tem isto)",
    showSettings: "Para conferir: responde com as configurações",
    showState: "Para conferir: responde como está",
  },
  noLines:
    "Não conhecemos nenhum SMS que configure o servidor deste rastreador. Use o programa ou o aplicativo do fabricante, ou o manual, e informe:",
  orProgram: "Ou informe isto no programa do fabricante:",
  host: "Servidor",
  port: "Porta",
  transport: "Por",
  showLines: "Mostrar as linhas de novo",
  identityStep: "Informe o IMEI",
  ownIds: {
    phone: "Número que ele envia (o telefone do chip, ou um da etiqueta)",
    labelNumber: "Número da etiqueta",
    tenDigits: "Dez dígitos da etiqueta",
    twelveDigits: "Doze dígitos que ele envia",
  },
  ownIdHints: {
    phone:
      "A maioria dos rastreadores JT/T 808 envia um número assim, quase sempre com 12 dígitos, e não o IMEI. Deixe vazio se o seu envia o IMEI.",
    labelNumber: "O rastreador se identifica assim: 6, 9 ou 10 dígitos.",
    tenDigits: "A maioria destes rastreadores se identifica assim. Deixe vazio se não houver.",
    twelveDigits: "Quase sempre 0 e os últimos onze dígitos do IMEI. Deixe vazio se não souber.",
  },
  wait: "Esperar a chamada",
  entering: "Um momento…",
  changeIdentity: "Mudar o IMEI",
  problem: "Informe um IMEI de 14 a 16 dígitos.",
  ownIdProblem: "Informe no máximo 64 letras e dígitos, sem espaços.",
  waitStep: "Veja-o chegar",
  stages: { called: "Chama", added: "Na sua frota", fix: "Sabe onde está", here: "No mapa" },
  silent: (name) => `Nenhum rastreador chamou ainda como ${name}.`,
  silentWhat:
    "Esta página percebe sozinha. A maioria dos rastreadores chama em até dois minutos depois de configurada.",
  check: "O que conferir",
  checks: {
    answered: "O rastreador respondeu a cada linha? Se não, o chip pode estar sem crédito ou pedir um PIN.",
    apn: "O ponto de acesso (APN) está certo, e o chip tem dados móveis?",
    port: (host, port) =>
      `${host}, porta ${port}, é alcançável de fora? O firewall ou o roteador precisa deixar passar. Pergunte a quem administra o servidor.`,
    digits: "Os dígitos estão certos? Compare com a etiqueta.",
    power: "Ele tem energia? Ligue o veículo: alguns rastreadores dormem sem ignição.",
  },
  lookalike: (protocol) => `Rastreadores com este nome são vendidos também com outro protocolo: ${protocol}.`,
  tryLookalike: (protocol) => `Configurar como ${protocol}`,
  others: "Estes rastreadores chamaram enquanto isso, e nenhum veículo os tem. É um destes?",
  isThis: "É este",
  isThisLabel: (name) => `É este: ${name}`,
  stranger: (name) => `${name} chamou. Ainda não está na sua frota.`,
  strangerWhat:
    "Ele é recusado até que um veículo o tenha. Dê um nome ao veículo, e ele é adicionado com este rastreador.",
  add: "Adicionar à frota",
  returning: (vehicle) => `${vehicle} está na sua frota. O rastreador chama de novo sozinho.`,
  returningWhat: "A maioria chama de novo em um minuto. Se demorar mais, desligue e ligue o rastreador.",
  otherProtocol: (vehicle, protocol) =>
    `${vehicle} só aceita relatos de rastreadores ${protocol}. Se este fala outro protocolo, mude isso.`,
  edit: "Mudar o veículo",
  noFix: (vehicle, satellites) =>
    satellites === null
      ? `${vehicle} relata, mas ainda não tem posição.`
      : `${vehicle} relata, mas ainda não tem posição (satélites: ${satellites}).`,
  noFixWhat:
    "Coloque-o a céu aberto, com a parte de cima para cima. A primeira posição pode levar até 15 minutos; em ambientes fechados não há.",
  doubted: (vehicle) => `${vehicle} relata posições, e nenhuma está no mapa.`,
  doubtedWhat:
    "Provavelmente o relógio está errado: veja abaixo a hora que ele envia. Se o desvio for constante, esta página oferece corrigi-lo depois de alguns relatos.",
  here: (vehicle) => `${vehicle} está no mapa.`,
  hereWhat: (ago) => `A última posição chegou ${ago}.`,
  another: "Conectar outro rastreador",
  expected: "Rastreadores que você espera",
  expectedWhat: "Eles são esperados por 30 dias.",
  notCalled: "ainda não chamou",
  called: (ago) => `chamou ${ago}`,
  inFleet: "está na sua frota",
  goOn: "Continuar",
  forget: "Não esperar",
  forgetWhich: (name) => `Não esperar por ${name}`,
};

export const trackerMessages: AdministrationTexts["trackerMessages"] = {
  what: "O que o rastreador enviou há pouco, como chegou, e o que foi lido disso. Só você, como titular, vê. Fica guardado por dez minutos.",
  none: "Ainda não há mensagens",
  noneWhat: {
    waiting: "Elas aparecem aqui quando o rastreador envia. Motivos por que pode não haver nenhuma:",
    notListening:
      "Este servidor não atende rastreadores diretamente. O que vem por um gateway, um aplicativo ou um token não aparece aqui.",
    gateway: "Ele envia por um gateway, um aplicativo ou um token: esses relatos não aparecem aqui.",
    silent: "Ele não chamou desde que o servidor foi iniciado.",
    node: "Ele está conectado a outro servidor do mesmo serviço que acabou de ser iniciado: espere até que envie de novo.",
  },
  message: "Mensagem",
  cut: (bytes) => `Só o começo é guardado; a mensagem tem ${bytes} bytes.`,
  reply: "Resposta",
  noReply: "Não é preciso",
  notStored: "Nem guardada nem respondida: o rastreador a envia de novo",
  otherIdentity: "Recusada: nomeia outro dispositivo que não o do login",
  problem: "Problema",
  leftOut: "Fora dos limites, omitido",
  unread: "Não lido",
  fields: {
    recorded: "Hora do rastreador",
    fix: "Posição válida",
    altitude: "Altitude",
    heading: "Direção",
    satellites: "Satélites",
    accuracy: "Precisão",
    battery: "Bateria do rastreador",
    event: "Evento",
    source: "Fonte",
    driver: "Motorista",
  },
  yes: "Sim",
  no: "Não",
};

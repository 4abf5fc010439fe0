import type { AdministrationTexts } from "../../texts.ts";

export const streets: AdministrationTexts["streets"] = {
  title: "Ruas",
  what: "Ruas para o mapa. Elas vêm de um arquivo com a sua região, que fica neste servidor; nenhum outro serviço é consultado.",
  inUse: "O mapa tem ruas.",
  notSetUp: "As ruas ainda não estão configuradas. O mapa mostra costas, fronteiras e localidades.",
  seeMap: "Ver o mapa",
  byOperator: "Quem configura isto é quem administra este servidor",
  operatorReasons: {
    several_accounts:
      "Várias contas compartilham este servidor, por isso quem o administra configura as ruas para todas. Envie a essa pessoa o link abaixo.",
    several_nodes:
      "Este servidor guarda os dados em PostgreSQL e pode funcionar em várias máquinas; cada uma precisa do arquivo. Quem o administra configura isso; envie a essa pessoa o link abaixo.",
    configured:
      "Quem administra este servidor escolheu de onde vem o mapa. Isso pode ser alterado nas configurações do servidor.",
  },
  instructions: "Ruas em cinco minutos (em inglês)",
  get: "1. Obtenha um arquivo da sua região",
  getWhat:
    "O Protomaps cria todos os dias um mapa do mundo a partir do OpenStreetMap. O programa gratuito pmtiles recorta a sua região, em qualquer computador.",
  getProgram: "Baixar o programa pmtiles",
  getLine:
    "Depois execute esta linha. A área cerca os seus veículos; altere-a se eles também circulam em outros lugares.",
  sizes: "Uma cidade tem 20 a 100 MB, um país 0,5 a 6 GB.",
  upload: "2. Envie o arquivo",
  uploadWhat: (room) =>
    `Um arquivo que termine em .pmtiles, com no máximo ${room}. O mapa o mostra assim que for verificado; não é preciso reiniciar nada.`,
  choose: "Escolher o arquivo",
  progress: (name) => `Enviando ${name}`,
  sent: (sent, all) => `${sent} de ${all}`,
  done: (name) => `${name} está em uso. O mapa tem ruas.`,
  leaveQuestion: "Sair desta página? O envio será interrompido.",
  files: "Arquivos em uso",
  remove: "Remover",
  removeQuestion: (name) => `Remover ${name}? O mapa deixa de mostrar as ruas dele.`,
  removed: (name) => `${name} removido`,
  problems: {
    no_archive: "Este arquivo não é PMTiles. Escolha o arquivo que o pmtiles criou.",
    cut_off: "O arquivo está incompleto: termina cedo demais. Crie ou copie o arquivo de novo.",
    no_vector_tiles: "Este arquivo contém imagens, não blocos vetoriais. Use um mapa do Protomaps.",
    no_roads: "Este arquivo não tem ruas que o mapa consiga desenhar. Use um mapa do Protomaps.",
    damaged: "O arquivo está danificado ou é de uma versão anterior. Verifique com pmtiles verify.",
    too_large: "O arquivo é grande demais. Recorte uma região menor ou acrescente --maxzoom=14.",
    no_room: "O disco do servidor não tem espaço para este arquivo. Recorte uma região menor ou libere espaço.",
    too_many: "Há arquivos demais. Remova um primeiro.",
    busy: "Há outro envio em andamento. Espere que termine.",
    gone: "O envio foi interrompido. Comece de novo.",
    out_of_order: "O envio foi interrompido. Comece de novo.",
  },
};

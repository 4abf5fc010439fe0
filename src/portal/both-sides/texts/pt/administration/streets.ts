import type { AdministrationTexts } from "../../texts.ts";

export const streets: AdministrationTexts["streets"] = {
  title: "Ruas",
  what: "Ruas para o mapa. Vêm de um ficheiro com a sua região, que este servidor mostra sem perguntar a mais ninguém.",
  inUse: "O mapa tem ruas.",
  notSetUp: "As ruas não estão configuradas. O mapa mostra costas, fronteiras e povoações.",
  seeMap: "Ver o mapa",
  byOperator: "Configurado por quem gere este servidor",
  operatorReasons: {
    several_accounts:
      "Várias contas partilham este servidor, por isso quem o gere configura as ruas para todas. Envie-lhes a ligação abaixo.",
    several_nodes:
      "Este servidor guarda os dados em PostgreSQL e pode funcionar em várias máquinas; cada uma precisa do ficheiro. Quem o gere configura-o; envie-lhes a ligação abaixo.",
    configured: "Quem gere este servidor escolheu de onde vem o mapa. Pode alterá-lo nas definições do servidor.",
  },
  instructions: "Ruas em cinco minutos (em inglês)",
  get: "1. Obtenha um ficheiro da sua região",
  getWhat:
    "O Protomaps cria todos os dias um mapa do mundo a partir do OpenStreetMap. O seu programa gratuito pmtiles recorta a sua região, em qualquer computador.",
  getProgram: "Obter o programa pmtiles",
  getLine: "Depois execute esta linha. A área rodeia os seus veículos; altere-a se também circularem noutros lugares.",
  sizes: "Uma cidade tem 20 a 100 MB, um país 0,5 a 6 GB.",
  upload: "2. Carregue-o",
  uploadWhat: (room) =>
    `Um ficheiro que termine em .pmtiles, com ${room} no máximo. O mapa mostra-o assim que for verificado; não é preciso reiniciar nada.`,
  choose: "Escolher o ficheiro",
  progress: (name) => `A carregar ${name}`,
  sent: (sent, all) => `${sent} de ${all}`,
  done: (name) => `${name} está em uso. O mapa tem ruas.`,
  leaveQuestion: "Sair desta página? O carregamento é interrompido.",
  files: "Ficheiros em uso",
  remove: "Remover",
  removeQuestion: (name) => `Remover ${name}? O mapa deixa de mostrar as suas ruas.`,
  removed: (name) => `${name} removido`,
  problems: {
    no_archive: "Este ficheiro não é PMTiles. Escolha o ficheiro que o pmtiles criou.",
    cut_off: "O ficheiro está incompleto: termina cedo demais. Crie-o ou copie-o de novo.",
    no_vector_tiles: "Este ficheiro contém imagens, não mosaicos vetoriais. Use um mapa do Protomaps.",
    no_roads: "Este ficheiro não tem ruas que o mapa consiga desenhar. Use um mapa do Protomaps.",
    damaged: "O ficheiro está danificado ou é de uma versão anterior. Verifique-o com pmtiles verify.",
    too_large: "O ficheiro é demasiado grande. Recorte uma região menor ou acrescente --maxzoom=14.",
    no_room: "O disco do servidor não tem espaço para este ficheiro. Recorte uma região menor ou liberte espaço.",
    too_many: "Há demasiados ficheiros. Remova um primeiro.",
    busy: "Há outro carregamento em curso. Espere que termine.",
    gone: "O carregamento foi interrompido. Comece de novo.",
    out_of_order: "O carregamento foi interrompido. Comece de novo.",
  },
};

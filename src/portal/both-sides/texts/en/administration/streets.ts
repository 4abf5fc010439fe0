export const streets = {
  title: "Streets",
  what: "Streets for the map. They come from one file with your region, which this server shows without asking anybody else.",
  inUse: "The map has streets.",
  notSetUp: "Streets are not set up. The map shows coasts, borders and towns.",
  seeMap: "See the map",
  byOperator: "Set up by the people who run this server",
  operatorReasons: {
    several_accounts:
      "Several accounts share this server, so streets are set up for all of them by the people who run it. Send them the link below.",
    several_nodes:
      "This server keeps its data in PostgreSQL and may run on several machines, so each needs the file. The people who run it set it up; send them the link below.",
    configured:
      "The people who run this server have chosen where the map comes from. They can change it with the settings of the server.",
  },
  instructions: "Streets in five minutes",
  get: "1. Get a file of your region",
  getWhat:
    "Protomaps builds a map of the world from OpenStreetMap every day. Its free program pmtiles cuts your region out of it, on any computer.",
  getProgram: "Get the program pmtiles",
  getLine: "Then run this line. The box is around your vehicles; change it if they drive elsewhere, too.",
  sizes: "A city has 20 to 100 MB, a country 0.5 to 6 GB.",
  upload: "2. Upload it",
  uploadWhat: (room: string) =>
    `A file that ends in .pmtiles, of at most ${room}. The map shows it as soon as it has been checked; nothing has to be restarted.`,
  choose: "Choose the file",
  progress: (name: string) => `Uploading ${name}`,
  sent: (sent: string, all: string) => `${sent} of ${all}`,
  done: (name: string) => `${name} is in use. The map has streets.`,
  leaveQuestion: "Leave this page? The upload stops.",
  files: "Files in use",
  remove: "Remove",
  removeQuestion: (name: string) => `Remove ${name}? The map then shows its streets no more.`,
  removed: (name: string) => `${name} removed`,
  problems: {
    no_archive: "This is no PMTiles file. Choose the file that pmtiles has made.",
    cut_off: "The file is incomplete: it ends too early. Make or copy it again.",
    no_vector_tiles: "This file holds pictures, not vector tiles. Use a build of Protomaps.",
    no_roads: "This file has no streets that the map can draw. Use a build of Protomaps.",
    damaged: "The file is damaged, or of an older version. Check it with pmtiles verify.",
    too_large: "The file is too large. Cut out a smaller region, or add --maxzoom=14.",
    no_room: "The server's disk has no room for this file. Cut out a smaller region, or make room.",
    too_many: "There are too many files. Remove one first.",
    busy: "Another upload is under way. Wait until it has ended.",
    gone: "The upload was interrupted. Begin again.",
    out_of_order: "The upload was interrupted. Begin again.",
  },
};

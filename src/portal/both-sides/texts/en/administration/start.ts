/** The first steps of a new account: by what the person has. */
export const start = {
  title: "Your first vehicle on the map",
  what: "You can leave at any time and go on later.",
  lookAround: "Look around first",
  question: "What do you have?",
  other: "Something else",
  have: {
    tracker: {
      title: "A tracker with a SIM card",
      what: "It calls this server by itself. Choose its model, send it some lines, and watch it arrive.",
    },
    phone: {
      title: "A phone",
      what: "An app on it reports where it is: Traccar Client, OwnTracks or OsmAnd.",
    },
    gateway: {
      title: "Another gateway",
      what: "Traccar, an MQTT broker or a program of your own sends here what trackers report to it.",
    },
    file: {
      title: "A table of vehicles, or a GPX or CSV file",
      what: "Names and IMEIs in a CSV file or in cells to paste; or drives that were recorded elsewhere.",
    },
    look: {
      title: "Nothing yet, just look",
      what: "A made-up fleet in an account of its own. It mails nobody, and can be erased at any time.",
    },
  },
  phoneImeiHint:
    "15 digits that the app calls itself by. These are made up for it; change them only if it has some already.",
  fileDone: "The vehicles are in your fleet. They are on the map as soon as they report.",
  tableTitle: "Vehicles from a table",
  track: {
    title: "A recorded drive",
    what: "The points of a GPX file, or of a CSV file with times and positions. They are stored as if the vehicle had sent them.",
    vehicle: "Vehicle",
    imeiHint: "These 15 digits are made up. Enter those of the tracker if it will report here, too.",
    file: "GPX or CSV file",
    storing: (percent: string) => `Storing it: ${percent}`,
    stored: (count: number, shown: string) => `${shown} ${count === 1 ? "point is" : "points are"} stored.`,
    there: (shown: string) => `There already: ${shown}.`,
    leftOut: (shown: string, line: string) => `Left out: ${shown}, the first in line ${line}.`,
    wrong: "This is neither a GPX track nor a table with times and positions.",
    large: "One line of this file is too long to be sent.",
    show: "Show the drive",
  },
  appStep: "Set up the app",
  appNumber: "Number of the app",
  lookWhat:
    "43 made-up vehicles around Berlin, with a week of history, drivers, alerts and reports. They have an account of their own beside yours: nothing of it is mixed with your data, and nobody is mailed.",
  lookMake: "Make it",
  lookMaking: "It is being made, which takes about a minute",
  lookReady: "It is there.",
  lookEnter: "Look at it",
  lookErase: "Erase it",
  lookEnding: "It is being erased",
  lookNot:
    "This server makes one only for its one account. Anybody can have it on their own machine: npx odograph demo.",
};

/** What would have been mailed of a made-up fleet. */
export const keptMails = {
  title: "Mails",
  what: "What the people of this made-up fleet would have been mailed. Nothing of it was sent.",
  none: "No mails yet",
  noneWhat: "They come with the next alerts and reports.",
  to: "To",
  open: "Show as in a mailbox",
  files: "Files",
};

/** From a tracker in the hand to a vehicle on the map. */
export const connect = {
  title: "Connect a tracker",
  what: "For trackers with a SIM card that call this server by themselves. Have the tracker at hand, and a phone that can send it an SMS.",
  offer: "A tracker with a SIM card?",
  offerWhat:
    "It calls this server by itself, without a token. Choose its model, send it some lines, and watch it arrive.",
  // Which one.
  modelStep: "Which tracker is it?",
  search: "Search for a model",
  notFound: "No model of this name is known here. Choose the maker or the protocol below; the manual names it.",
  families: "Or choose the maker or the protocol",
  other: "Choose another",
  // What to send to it.
  linesStep: "Tell it where to call",
  closed: (family: string) => `This server does not listen to ${family} trackers yet.`,
  closedWhat:
    "No tracker of this kind can reach it until the people who run the server start it with this setting, and open the port:",
  setting: "Setting of the server",
  orVariable: "Or as a variable of its environment:",
  guess: (host: string) =>
    `The address ${host} is a guess: the one in your browser. If trackers reach the server under another, the people who run it can set it.`,
  local: (host: string) =>
    `Only this machine or its own network reaches ${host}. A tracker with a SIM card does not: it needs an address of the internet.`,
  bySms: "Send these SMS to the number of its SIM card, one by one. Wait for its answer after each.",
  byCommand:
    "Send these lines by SMS to the number of its SIM card, or with the maker's program. Wait for its answer after each.",
  anyModel: "Most models take these lines. If it does not answer, its manual has its own.",
  twoSpaces: "Each begins with two spaces, unless the tracker has an SMS login. They are copied with the line.",
  apn: "Access point (APN) of the SIM card",
  apnHint: "From the operator of the SIM card, such as internet.",
  apnUser: "User name (mostly none)",
  apnSecret: "Password (mostly none)",
  code: {
    password: (usual: string) => `Password of the tracker (new ones have ${usual})`,
    model: () => "Password of the tracker (its model in small letters, such as gv300)",
    login: () => "SMS login and password of the tracker (mostly none)",
  },
  lineMeanings: {
    reset: "Resets its settings",
    apn: "Mobile internet of the SIM card",
    apnUser: "User name of the access point",
    apnSecret: "Password of the access point",
    server: "Address and port of this server",
    serverPort: "Port of this server",
    restart: "Restarts it",
    keepsReports: "Sends over UDP, and keeps each report until this server has stored it",
    overTcp: "Sends over TCP",
    dataOn: "Sends over mobile data (not every model has this)",
    utc: "Sets its clock to UTC",
    interval: "A position every 20 to 30 seconds",
    intervalOff: "Every 5 minutes with the ignition off",
    moreFields: "Sends more: ignition, door, fuel (not every model has this)",
    showSettings: "To check: it answers with its settings",
    showState: "To check: it answers how it is",
  },
  noLines:
    "We know no SMS that sets the server of this tracker. Use the maker's program or app, or its manual, and enter:",
  orProgram: "Or enter these in the maker's program:",
  host: "Server",
  port: "Port",
  transport: "Over",
  showLines: "Show the lines again",
  // Who it is.
  identityStep: "Enter its IMEI",
  ownIds: {
    phone: "Number that it sends (the phone number of its SIM card, or one on its label)",
    labelNumber: "Number on its label",
    tenDigits: "Ten digits on its label",
    twelveDigits: "Twelve digits that it sends",
  },
  ownIdHints: {
    phone:
      "Most JT/T 808 trackers send such a number, mostly of 12 digits, and not their IMEI. Leave it empty if yours sends its IMEI.",
    labelNumber: "The tracker calls itself by it: 6, 9 or 10 digits.",
    tenDigits: "Most of these trackers call themselves by them. Leave it empty if there are none.",
    twelveDigits: "Mostly 0 and the last eleven digits of the IMEI. Leave it empty if you do not know.",
  },
  wait: "Wait for it to call",
  entering: "One moment…",
  changeIdentity: "Change the IMEI",
  problem: "Enter an IMEI of 14 to 16 digits.",
  ownIdProblem: "Enter at most 64 letters and digits, without spaces.",
  // Waiting.
  waitStep: "Watch it arrive",
  stages: { called: "It calls", added: "In your fleet", fix: "Knows where it is", here: "On the map" },
  silent: (name: string) => `No tracker has called as ${name} yet.`,
  silentWhat: "This page notices by itself. Most trackers call within two minutes after they were set up.",
  check: "What to check",
  checks: {
    answered: "Did the tracker answer each line? If not, the SIM card may be without credit, or want a PIN.",
    apn: "Is the access point (APN) right, and does the SIM card have mobile data?",
    port: (host: string, port: string) =>
      `Is ${host}, port ${port}, reachable from outside? A firewall or router must let it through. Ask the people who run the server.`,
    digits: "Are the digits right? Compare them with the label.",
    power: "Does it have power? Start the vehicle: some trackers sleep without ignition.",
  },
  lookalike: (protocol: string) => `Trackers of this name are sold with another protocol, too: ${protocol}.`,
  tryLookalike: (protocol: string) => `Set it up as ${protocol}`,
  others: "These trackers called meanwhile, and no vehicle has them. Is it one of these?",
  isThis: "It is this one",
  isThisLabel: (name: string) => `It is this one: ${name}`,
  stranger: (name: string) => `${name} called. It is not in your fleet yet.`,
  strangerWhat: "It is refused until a vehicle has it. Give the vehicle a name, and it is added with this tracker.",
  add: "Add it to the fleet",
  returning: (vehicle: string) => `${vehicle} is in your fleet. Its tracker calls again by itself.`,
  returningWhat: "Most call again within a minute. If it takes longer, switch it off and on.",
  otherProtocolCalled: (vehicle: string) => `The tracker of ${vehicle} called and was refused.`,
  otherProtocol: (vehicle: string, protocol: string) =>
    `${vehicle} accepts reports of ${protocol} trackers only. If this one speaks another protocol, change that.`,
  edit: "Change the vehicle",
  noFix: (vehicle: string, satellites: string | null) =>
    satellites === null
      ? `${vehicle} reports, and has no fix yet.`
      : `${vehicle} reports, and has no fix yet (satellites: ${satellites}).`,
  noFixWhat:
    "Put it under the open sky, with its upper side up. The first fix can take up to 15 minutes; indoors there is none.",
  doubted: (vehicle: string) => `${vehicle} reports positions, and none of them is on the map.`,
  doubtedWhat:
    "Its clock is probably wrong: look below at the time that it sends. If it is steadily off, this page offers to put it right after some reports.",
  here: (vehicle: string) => `${vehicle} is on the map.`,
  hereWhat: (ago: string) => `Its last position came ${ago}.`,
  another: "Connect another tracker",
  // Those that were entered before.
  expected: "Trackers that you wait for",
  expectedWhat: "They are waited for 30 days.",
  notCalled: "has not called yet",
  called: (ago: string) => `called ${ago}`,
  inFleet: "is in your fleet",
  goOn: "Continue",
  forget: "Do not wait",
  forgetWhich: (name: string) => `Do not wait for ${name}`,
};

/** What a vehicle's tracker sends, byte by byte. */
export const trackerMessages = {
  what: "What its tracker sent lately, as it came, and what was read from it. Only you as the owner see it. It is kept for ten minutes.",
  none: "No messages yet",
  noneWhat: {
    waiting: "They appear here when the tracker sends. Reasons why there may be none:",
    notListening:
      "This server does not listen to trackers itself. What comes through a gateway, an app or a token is not shown here.",
    gateway: "It sends through a gateway, an app or a token: such reports are not shown here.",
    silent: "It has not called since the server started.",
    node: "It is connected to another server of the same service that was just started: wait until it sends again.",
  },
  message: "Message",
  cut: (bytes: string) => `Only the beginning is kept; the message has ${bytes} bytes.`,
  reply: "Reply",
  noReply: "None needed",
  notStored: "Not stored and not answered: the tracker sends it again",
  otherProtocol: "Refused: the vehicle accepts only trackers of another protocol",
  otherIdentity: "Refused: it names another device than at its login",
  problem: "Problem",
  leftOut: "Out of bounds, left out",
  unread: "Not read",
  fields: {
    recorded: "Time by the tracker",
    fix: "Fix",
    altitude: "Altitude",
    heading: "Heading",
    satellites: "Satellites",
    accuracy: "Accuracy",
    battery: "Tracker's battery",
    event: "Event",
    source: "Source",
    driver: "Driver",
  },
  yes: "Yes",
  no: "No",
};

import type { AdministrationTexts } from "../../texts.ts";

export const trackers: AdministrationTexts["trackers"] = {
  title: "Tracker",
  what: "Mit einem Token senden Tracker, Telefone und Gateways die Positionen Ihrer Fahrzeuge. Lesen kann man damit nichts.",
  sendTo: "Tracker senden an",
  guess:
    "Diese Adresse ist eine Vermutung: die des Portals mit dem Port für Tracker. Die Betreiber dieses Servers können die richtige festlegen.",
  loopback:
    "Nur Programme auf demselben Rechner erreichen diese Adresse. Ein Tracker oder ein Telefon erreicht sie nicht.",
  plain: "Diese Adresse ist nicht verschlüsselt. Nehmen Sie über das Internet eine, die mit https beginnt.",
  tokens: "Tokens",
  create: "Token erstellen",
  createFirst: "Erstes Token erstellen",
  none: "Noch keine Tokens",
  noneWhat:
    "Erstellen Sie für jedes Gateway und jedes Telefon ein eigenes, dann können Sie eines ohne die anderen widerrufen.",
  noneActive: "Kein Token ist aktiv.",
  showEnded: (count) => `${count} widerrufene anzeigen`,
  whichSystem: "Welches Gateway oder Telefon benutzt es?",
  created: "Erstellt",
  revokedBadge: "Widerrufen",
  sends: "Sendet",
  shownOnce: "Das Token wird danach einmal angezeigt.",
  createIt: "Token erstellen",
  ready: (name) => `Token „${name}“ ist fertig`,
  copyNow:
    "Kopieren Sie es jetzt. Es wird nicht gespeichert, und niemand kann es noch einmal anzeigen; ein verlorenes Token ersetzen Sie durch ein neues.",
  token: "Token",
  stored: "Ich habe das Token gespeichert oder dort eingefügt, wo es hingehört",
  leaveQuestion:
    "Seite ohne das Token verlassen? Sie haben nicht bestätigt, dass es gespeichert ist, und es wird nicht noch einmal angezeigt.",
  leave: "Ohne Token verlassen",
  revokeWhat: (prefix) =>
    `Was mit ${prefix} gesendet wird, wird ab sofort abgelehnt. Was schon gesendet wurde, bleibt. Das lässt sich nicht rückgängig machen.`,
  stillSends: (ago) => `Es ist in Gebrauch: Zuletzt wurde ${ago} damit gesendet. Danach kommt von dort nichts mehr an.`,
  lastSent: (ago) => `Es wurde zuletzt ${ago} benutzt.`,
  neverSent: "Es wurde nie benutzt.",
  revokeIt: "Token widerrufen",
  keepIt: "Behalten",
  revoked: (name) => `Token ${name} widerrufen`,
  lines: "Zeilen zum Einfügen",
  linesWhat: "Wählen Sie, was sendet, und für welches Fahrzeug.",
  noVehicle: "Noch kein Fahrzeug: Die Zeilen zeigen eine Beispiel-IMEI.",
  placeholder: "Ersetzen Sie TOKEN durch ein Token. Nur ein eben erstelltes lässt sich ganz anzeigen.",
  way: "Was sendet",
  ways: {
    traccar: "Traccar",
    traccar_client: "Traccar Client",
    osmand: "OsmAnd",
    owntracks: "OwnTracks",
    curl: "curl",
    mqtt: "MQTT",
  },
  wayWhat: {
    traccar:
      "Für einen Traccar-Server. Fügen Sie diese Zeilen in seine traccar.xml ein und starten Sie ihn neu. Die Kennung jedes Geräts in Traccar muss die IMEI des Fahrzeugs sein.",
    traccar_client: "Eine App für Telefone. Öffnen Sie die Einstellungen und geben Sie beide Werte ein.",
    osmand: "In OsmAnd: Streckenaufzeichnung, Online-Tracking, Webadresse.",
    owntracks:
      "Wählen Sie in der App den Modus HTTP, schalten Sie die Authentifizierung ein und geben Sie diese Werte ein.",
    curl: "Sendet eine Position von einem Terminal aus, zum Ausprobieren oder aus einem eigenen Programm.",
    mqtt: "Für Tracker, die an den Broker dieses Servers senden. Benutzername und Passwort des Brokers geben Ihnen die Betreiber.",
  },
  into: {
    traccar_positions: "Positionen, für traccar.xml",
    traccar_events: "Ereignisse, für traccar.xml (nicht nötig)",
    server_url: "Server-URL",
    identifier: "Gerätekennung",
    web_address: "Webadresse",
    url: "URL",
    user_name: "Benutzername (beliebig)",
    password: "Passwort",
    device_id: "Geräte-ID",
    terminal: "Für ein Terminal",
    topic: "Topic",
  },
  secretInAddress:
    "Das Token ist Teil dieser Adresse: Nehmen Sie für jedes Telefon ein eigenes Token und eine https-Adresse.",
};

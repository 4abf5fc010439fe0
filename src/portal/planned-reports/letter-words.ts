import type { Language } from "../both-sides/texts/texts.ts";

const en = {
  subject: (account: string) => `Odograph report for ${account}`,
  period: "Period",
  about: "About",
  more: (count: string) => `and ${count} more in the attached file`,
  inFile: "The attached file has all rows, for a spreadsheet.",
  cut: (rows: string) =>
    `This is too long for a mail: the file holds the first ${rows} rows. The portal shows all of them.`,
  chosen: (account: string) => `You get this mail because this report is planned for you in the portal of ${account}.`,
  open: "Open this report in the portal",
  plans: "Planned reports",
  stop: "Stop these mails",
};

export type ReportLetterWords = typeof en;

const es: ReportLetterWords = {
  subject: (account) => `Informe de Odograph para ${account}`,
  period: "Período",
  about: "Sobre",
  more: (count) => `y ${count} más en el archivo adjunto`,
  inFile: "El archivo adjunto contiene todas las filas, para una hoja de cálculo.",
  cut: (rows) =>
    `Es demasiado largo para un correo: el archivo contiene las primeras ${rows} filas. El portal las muestra todas.`,
  chosen: (account) => `Este correo llega porque este informe está programado para usted en el portal de ${account}.`,
  open: "Abrir este informe en el portal",
  plans: "Informes programados",
  stop: "No recibir más estos correos",
};

const pt: ReportLetterWords = {
  subject: (account) => `Relatório do Odograph para ${account}`,
  period: "Período",
  about: "Sobre",
  more: (count) => `e mais ${count} no arquivo anexo`,
  inFile: "O arquivo anexo contém todas as linhas, para uma planilha.",
  cut: (rows) => `É longo demais para um e-mail: o arquivo contém as primeiras ${rows} linhas. O portal mostra todas.`,
  chosen: (account) =>
    `Você recebe este e-mail porque este relatório está programado para você no portal de ${account}.`,
  open: "Abrir este relatório no portal",
  plans: "Relatórios programados",
  stop: "Parar de receber estes e-mails",
};

const de: ReportLetterWords = {
  subject: (account) => `Odograph-Bericht für ${account}`,
  period: "Zeitraum",
  about: "Auswahl",
  more: (count) => `und ${count} weitere in der angehängten Datei`,
  inFile: "Die angehängte Datei enthält alle Zeilen, für eine Tabellenkalkulation.",
  cut: (rows) => `Für eine E-Mail ist das zu lang: Die Datei enthält die ersten ${rows} Zeilen. Das Portal zeigt alle.`,
  chosen: (account) => `Sie erhalten diese E-Mail, weil dieser Bericht im Portal von ${account} für Sie geplant ist.`,
  open: "Diesen Bericht im Portal öffnen",
  plans: "Geplante Berichte",
  stop: "Diese E-Mails abbestellen",
};

export const reportLetterWords: Readonly<Record<Language, ReportLetterWords>> = { en, es, pt, de };

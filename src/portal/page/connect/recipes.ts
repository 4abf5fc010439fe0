import type { TrackerProtocol } from "../../../domain/tracker-protocols.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";

/** How a tracker is moved to this server: by lines of SMS or configuration, only those that its maker or manual names. */

/** What a person and the server know. `user` and `secret` are those of the access point, often empty. */
export interface RecipeValues {
  readonly host: string;
  readonly port: number;
  readonly apn: string;
  readonly user: string;
  readonly secret: string;
  /** What the tracker itself wants to hear before it obeys. */
  readonly code: string;
}

/** What a line does; the texts say it. */
type LineMeaning = keyof AdministrationTexts["connect"]["lineMeanings"];

interface RecipeLine {
  readonly does: LineMeaning;
  /** Null: it is not needed with these values. */
  readonly text: (values: RecipeValues) => string | null;
}

export interface Recipe {
  readonly protocol: TrackerProtocol;
  /** Whose trackers these are; the same in every language. */
  readonly makers: string;
  /** What the tracker's own password is: a digit code of new ones, the model's name, or an SMS login. Null: it has none. */
  readonly code: { readonly kind: "password" | "model" | "login"; readonly usual: string } | null;
  /** Without one that sets the server, only the maker's program does. */
  readonly lines: readonly RecipeLine[];
}

const always = (does: LineMeaning, text: (values: RecipeValues) => string): RecipeLine => ({ does, text });
const withUser = (does: LineMeaning, text: (values: RecipeValues) => string): RecipeLine => ({
  does,
  text: (values) => (values.user === "" ? null : text(values)),
});

const isAddress = (host: string) => /^[\d.]+$|:/.test(host);

/** Concox and Jimi, whatever protocol the model speaks. */
const jimiServer = [
  always("apn", ({ apn, user, secret }) => (user === "" ? `APN,${apn}#` : `APN,${apn},${user},${secret}#`)),
  always("server", ({ host, port }) => `SERVER,${isAddress(host) ? 0 : 1},${host},${port},0#`),
];

/** Coban's, which others took over. */
const cobanApn = [
  always("apn", ({ code, apn }) => `apn${code} ${apn}`),
  withUser("apnUser", ({ code, user }) => `apnuser${code} ${user}`),
  withUser("apnSecret", ({ code, secret }) => `apnpasswd${code} ${secret}`),
];
const cobanLines = [
  ...cobanApn,
  always("server", ({ code, host, port }) => `adminip${code} ${host} ${port}`),
  always("dataOn", ({ code }) => `gprs${code}`),
];

/** Without a login, an SMS to a Teltonika begins with two spaces. */
const teltonika = (code: string, command: string) => `${code === "" ? " " : code} ${command}`;

const sixDigits = { kind: "password", usual: "123456" } as const;
const smsLogin = { kind: "login", usual: "" } as const;

export const recipes = {
  gt06: {
    protocol: "gt06",
    makers: "Concox, Jimi, Wanway, Seeworld …",
    code: null,
    lines: [
      ...jimiServer,
      always("utc", () => "GMT,E,0,0#"),
      always("interval", () => "TIMER,30#"),
      always("dataOn", () => "GPRSON,1#"),
      always("showSettings", () => "PARAM#"),
      always("showState", () => "STATUS#"),
    ],
  },
  topin: { protocol: "gt06", makers: "Topin, Zhongxun, 365GPS", code: null, lines: [] },
  h02: {
    protocol: "h02",
    makers: "Sinotrack",
    code: { kind: "password", usual: "0000" },
    lines: [
      always("apn", ({ code, apn, user, secret }) =>
        user === "" ? `803${code} ${apn}` : `803${code} ${apn} ${user} ${secret}`,
      ),
      always("server", ({ code, host, port }) => `804${code} ${host} ${port}`),
      always("dataOn", ({ code }) => `710${code}`),
      always("utc", ({ code }) => `896${code}E00`),
      always("interval", ({ code }) => `805${code} 20`),
      always("intervalOff", ({ code }) => `809${code} 300`),
      always("showSettings", () => "RCONF"),
    ],
  },
  gps103: {
    protocol: "gps103",
    makers: "Coban",
    code: sixDigits,
    lines: [
      always("reset", ({ code }) => `begin${code}`),
      ...cobanLines,
      always("interval", ({ code }) => `fix030s***n${code}`),
      always("moreFields", ({ code }) => `protocol${code} 18 out`),
    ],
  },
  tk103: {
    protocol: "tk103",
    makers: "Xexun",
    code: sixDigits,
    lines: [...cobanLines, always("interval", ({ code }) => `t030s***n${code}`)],
  },
  teltonika: {
    protocol: "teltonika",
    makers: "Teltonika FMB, FMC, FMM, FMT, FTC, TAT",
    code: smsLogin,
    lines: [
      always("apn", ({ code, apn, user, secret }) =>
        teltonika(code, `setparam 2001:${apn}${user === "" ? "" : `;2002:${user};2003:${secret}`}`),
      ),
      always("server", ({ code, host, port }) => teltonika(code, `setparam 2004:${host};2005:${port};2006:0`)),
      always("showSettings", ({ code }) => teltonika(code, "getparam 2004")),
      always("showState", ({ code }) => teltonika(code, "getinfo")),
    ],
  },
  teltonika_old: {
    protocol: "teltonika",
    makers: "Teltonika FM1100 – FM6320",
    code: smsLogin,
    lines: [
      always("apn", ({ code, apn }) => teltonika(code, `setparam 1242 ${apn}`)),
      always("server", ({ code, host }) => teltonika(code, `setparam 1245 ${host}`)),
      always("serverPort", ({ code, port }) => teltonika(code, `setparam 1246 ${port}`)),
      always("overTcp", ({ code }) => teltonika(code, "setparam 1247 0")),
    ],
  },
  queclink: {
    protocol: "queclink",
    makers: "Queclink GL300, GV55, GV200, GV300, GV500, GMT100",
    code: { kind: "model", usual: "" },
    lines: [
      always("apn", ({ code, apn, user, secret }) => `AT+GTBSI=${code},${apn},${user},${secret},,,,,FFFF$`),
      always("server", ({ code, host, port }) => `AT+GTSRI=${code},3,,1,${host},${port},,,,15,1,0,,,,FFFF$`),
      always("utc", ({ code }) => `AT+GTTMA=${code},+,0,0,0,,,,,,FFFF$`),
    ],
  },
  queclink_new: { protocol: "queclink", makers: "Queclink GV58, GV310, GV350, GL320 …", code: null, lines: [] },
  // `ID` is the number on the label, which a person enters in the next step.
  suntech: {
    protocol: "suntech",
    makers: "Suntech ST300, ST310U, ST340, ST350",
    code: null,
    lines: [
      always("server", ({ host, port, apn, user, secret }) => {
        return `ST300NTW;ID;02;${user === "" ? 0 : 1};${apn};${user};${secret};${host};${port};;;;`;
      }),
      always("keepsReports", () => "ST300ADP;ID;02;U;U;1;;0;0;0;0;0;0"),
      always("showState", () => "ST300CMD;ID;02;StatusReq"),
    ],
  },
  suntech_universal: {
    protocol: "suntech",
    makers: "Suntech ST4300, ST4315, ST4340 …",
    code: null,
    lines: [
      always("apn", ({ apn, user, secret }) => `PRG;ID;10;00#01;01#${apn};02#${user};03#${secret}`),
      always("server", ({ host, port }) => `PRG;ID;10;05#${host};06#${port}`),
      always("overTcp", () => "PRG;ID;10;07#00"),
      always("showState", () => "CMD;ID;03;01"),
    ],
  },
  suntech_other: {
    protocol: "suntech",
    makers: "Suntech SA200, ST390, ST410, ST500, ST600, ST910",
    code: null,
    lines: [],
  },
  meitrack: {
    protocol: "meitrack",
    makers: "Meitrack",
    code: { kind: "password", usual: "0000" },
    lines: [
      always("server", ({ code, host, port, apn, user, secret }) => {
        return `${code},A21,1,${host},${port},${apn},${user},${secret}`;
      }),
      always("interval", ({ code }) => `${code},A12,3`),
    ],
  },
  ruptela: {
    protocol: "ruptela",
    makers: "Ruptela FM, Eco, Pro, Trace",
    code: { kind: "login", usual: "" },
    lines: [
      always("server", ({ code, host, port, apn, user, secret }) => {
        return `${code} setconnection ${apn},${user},${secret},${host},${port},TCP`;
      }),
    ],
  },
  topflytech: {
    protocol: "topflytech",
    makers: "Topflytech T88, TLW, TLP, TLD, PioneerX, SolarX",
    code: null,
    lines: [],
  },
  galileosky: {
    protocol: "galileosky",
    makers: "Galileosky",
    code: null,
    lines: [
      always("apn", ({ apn, user, secret }) => `APN ${apn},${user},${secret}`),
      always("server", ({ host, port }) => `ServerIp ${host},${port}`),
    ],
  },
  wialon: { protocol: "wialon", makers: "Wialon IPS", code: null, lines: [] },
  jt808: { protocol: "jt808", makers: "AOVX, GoSafe, Jointech, Xinghai, Cantrack", code: null, lines: [] },
  jimi_jt808: { protocol: "jt808", makers: "Jimi VL502, JC", code: null, lines: jimiServer },
  g10ls: { protocol: "jt808", makers: "G10LS", code: sixDigits, lines: [...cobanApn, always("restart", () => "CQ")] },
  micodus: { protocol: "jt808", makers: "Micodus", code: null, lines: [always("showSettings", () => "PARAM#")] },
} as const satisfies Readonly<Record<string, Recipe>>;

export type RecipeName = keyof typeof recipes;

const recipeNames = Object.keys(recipes) as RecipeName[];

/** Of a text that may be anything. */
export function recipeIn(text: string | null): RecipeName | null {
  return recipeNames.find((name) => name === text) ?? null;
}

export function recipeOf(name: RecipeName): Recipe {
  return recipes[name];
}

/** What to send, in this order. What is not known yet stands in capitals, as in manuals. */
export function filledLines(
  { code, lines }: Recipe,
  values: RecipeValues,
): readonly { readonly does: LineMeaning; readonly text: string }[] {
  const usualCode = code?.kind === "model" ? "PASSWORD" : (code?.usual ?? "");
  const filled = { ...values, apn: values.apn || "APN", code: values.code || usualCode };
  return lines.flatMap(({ does, text }) => {
    const line = text(filled);
    return line === null ? [] : [{ does, text: line }];
  });
}

/** Trackers of one name are sold with either protocol: what to try if one does not call. */
export const lookalikes: Readonly<Partial<Record<RecipeName, RecipeName>>> = {
  gps103: "tk103",
  tk103: "gps103",
  h02: "jt808",
};

/** What a tracker of this protocol calls itself, if that is not its IMEI. */
export const ownIds: Readonly<
  Partial<Record<TrackerProtocol, "phone" | "labelNumber" | "tenDigits" | "twelveDigits">>
> = {
  jt808: "phone",
  h02: "tenDigits",
  tk103: "twelveDigits",
  suntech: "labelNumber",
};

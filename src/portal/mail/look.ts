import type { Severity } from "../../domain/alert-types.ts";

/** The portal's colours (`page/style/`). Text is at least 4.5 to 1 on what it stands on. */
const font = "font-family:'Segoe UI',-apple-system,system-ui,Roboto,'Helvetica Neue',Arial,sans-serif";

interface Look {
  /** In the element itself: some programs read no style sheet. */
  readonly own: string;
  /** What is different in the dark; null: nothing. */
  readonly dark: string | null;
}

const looks = {
  page: { own: "margin:0;padding:0;background:#f3f6f7", dark: "background:#0d1317" },
  sender: { own: `${font};font-size:15px;font-weight:600;color:#4c5d67;padding:0 4px 10px`, dark: "color:#a3b3bb" },
  card: {
    own: `${font};font-size:16px;line-height:1.5;color:#14212a;background:#ffffff;border:1px solid #d9e1e4;border-radius:10px;padding:24px 20px 12px`,
    dark: "color:#e7eef1;background:#141b20;border-color:#29353c",
  },
  foot: {
    own: `${font};font-size:13px;line-height:1.6;color:#4c5d67;padding:14px 4px 0;overflow-wrap:anywhere`,
    dark: "color:#a3b3bb",
  },
  title: { own: "margin:0 0 8px;font-size:20px;line-height:1.3;overflow-wrap:anywhere", dark: null },
  part: { own: "margin:0 0 6px;font-size:17px;line-height:1.35;overflow-wrap:anywhere", dark: null },
  paragraph: { own: "margin:0 0 12px;overflow-wrap:anywhere", dark: null },
  /** One of several, in the card. */
  entry: { own: "margin:0 0 22px;padding:2px 0 2px 14px;overflow-wrap:anywhere", dark: null },
  facts: { own: "margin:0 0 12px", dark: null },
  label: {
    own: `${font};font-size:15px;line-height:1.5;color:#4c5d67;padding:2px 14px 2px 0;vertical-align:top`,
    dark: "color:#a3b3bb",
  },
  value: {
    own: `${font};font-size:15px;line-height:1.5;color:#14212a;padding:2px 0;vertical-align:top;overflow-wrap:anywhere`,
    dark: "color:#e7eef1",
  },
  button: { own: "background:#0b6e69;border-radius:8px", dark: "background:#4fd1c5" },
  action: {
    own: `${font};display:inline-block;padding:12px 22px;font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none`,
    dark: "color:#06211f",
  },
  link: { own: "color:#0b6e69", dark: "color:#4fd1c5" },
} as const satisfies Record<string, Look>;

type LookName = keyof typeof looks;

const tones: Readonly<Record<Severity, readonly [light: Tone, dark: Tone]>> = {
  critical: [
    { strong: "#b42318", soft: "#fdeceb" },
    { strong: "#ff8a7a", soft: "#3a1a17" },
  ],
  warning: [
    { strong: "#8a5200", soft: "#fdf1dd" },
    { strong: "#f5b14c", soft: "#362810" },
  ],
  info: [
    { strong: "#235a9f", soft: "#e6eff9" },
    { strong: "#8fbdf5", soft: "#15263b" },
  ],
};

interface Tone {
  readonly strong: string;
  readonly soft: string;
}

const severities = Object.keys(tones) as Severity[];

/** The attributes that make an element look so, in the light and in the dark. */
export function look(name: LookName): string {
  return `class="${name}" style="${looks[name].own}"`;
}

/** The severity's word, on its colour. Never the colour alone. */
export function severityLook(severity: Severity): string {
  const [{ strong, soft }] = tones[severity];
  const shape = "display:inline-block;border-radius:12px;padding:1px 10px;font-size:14px;font-weight:600";
  return `class="is-${severity}" style="${shape};color:${strong};background:${soft}"`;
}

/** The attributes of a cell with a line of the severity's colour at a side of it. */
export function lookMarked(name: LookName, severity: Severity | null, side: "top" | "left"): string {
  if (severity === null) return look(name);
  const line = `border-${side}:4px solid ${tones[severity][0].strong}`;
  return `class="${name} ${side} line-${severity}" style="${looks[name].own};${line}"`;
}

/** Tables have many cells: some programs cut off a mail that is longer than 100 kB, so their look is here only. */
const tables = [
  ".rows{border-collapse:collapse;width:100%}",
  `.rows th,.rows td{${font};font-size:14px;line-height:1.4;padding:5px 12px 5px 0;border-bottom:1px solid #d9e1e4;vertical-align:top}`,
  ".rows [align=right]{white-space:nowrap}.rows td:first-child{min-width:9em}.rows .total td{background:#edf2f3;font-weight:600}",
  ".name{font-weight:400;color:#4c5d67}.wide{overflow-x:auto}.rows thead{display:table-header-group}.rows tr{break-inside:avoid}",
];

/** On paper the heads are on each page, no row is cut in two, and links are left out. */
const printed = [
  "@media print{.page,.card{background:#fff!important;border:0!important;padding:0!important}",
  ".frame{max-width:none!important}.rows th,.rows td{font-size:11px}.screen{display:none!important}.wide{overflow:visible}}",
];

/** Programs that read no style sheet show the light look, whole. */
export const styleSheet = [
  ...tables,
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "@media screen and (prefers-color-scheme:dark){",
  ...Object.entries(looks).flatMap(([name, { dark }]) => (dark === null ? [] : [`.${name}{${important(dark)}}`])),
  ...severities.flatMap((severity) => {
    const { strong, soft } = tones[severity][1];
    return [
      `.is-${severity}{${important(`color:${strong};background:${soft}`)}}`,
      `.top.line-${severity}{${important(`border-top-color:${strong}`)}}`,
      `.left.line-${severity}{${important(`border-left-color:${strong}`)}}`,
    ];
  }),
  ".name{color:#a3b3bb!important}.rows th,.rows td{border-color:#29353c}.rows .total td{background:#1c262c}}",
  ...printed,
].join("");

function important(style: string): string {
  return style
    .split(";")
    .map((one) => `${one}!important`)
    .join(";");
}

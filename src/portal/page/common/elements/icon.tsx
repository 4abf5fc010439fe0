/** Line icons on a grid of 20, drawn for this portal. They are always beside words, so they have no text of their own. */
const paths = {
  day: "M3.5 5.5h13v11h-13zM3.5 9h13M7 3.5v3.4m6-3.4v3.4M7 12h2.5",
  report: "M5 3.5h7l3.5 3.5v9.5H5zM12 3.5V7h3.5M7.5 10h5m-5 3h5",
  download: "M10 3.5v9m-3.5-3.4L10 12.6l3.5-3.5M4 16.4h12",
  print: "M6 8V3.5h8V8M6 13.5H3.8V8h12.4v5.5H14M6 11.5h8v5H6z",
  book: "M10 5.2C8.2 3.8 5.6 3.6 3.6 4v11.4c2-.4 4.6-.2 6.4 1.2 1.8-1.4 4.4-1.6 6.4-1.2V4c-2-.4-4.6-.2-6.4 1.2zm0 0v11.4",
  map: "M7.5 4 3 5.8v10.4l4.5-1.8 5 1.8 4.5-1.8V4l-4.5 1.8zm0 0v10.4m5-8.6v10.4",
  alert: "M10 3.2 17.6 16.4H2.4zM10 8v3.8m0 2.2v.1",
  bell: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.2 1.5H3.8zM8.4 17.2a1.8 1.8 0 0 0 3.2 0",
  mail: "M3.5 5h13v10h-13zM3.8 5.4 10 10.6l6.2-5.2",
  fleet:
    "M2.8 13.5V6h8.4v7.5m0-5h3.4l2.6 2.8v2.2h-1.4m-3.6 0h-2.6m-4.2 0H2.8m1.4 0a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 0 0-3.2 0m8 0a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 0 0-3.2 0",
  key: "M9.2 10.8a3.6 3.6 0 1 1 .9-.9L16.8 16.6M13.6 13.4l1.9-1.9M6.9 7.2v.1",
  share:
    "M12.8 6.2 7.2 9.1m0 1.8 5.6 2.9M5.3 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6m9.4-4.9a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6m0 9.8a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6",
  usage: "M3.5 16.5h13M5.5 13.5v-3m3 3V6m3 7.5V8.5m3 5v-9",
  account: "M10 9.6a3 3 0 1 0 0-6 3 3 0 0 0 0 6m-6 7a6 6 0 0 1 12 0",
  check: "m4 10.5 4 4 8-9",
  info: "M10 9v5m0-7.6v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14",
  copy: "M7 7V3.8h9.2V13H13M3.8 7H13v9.2H3.8z",
  search: "M8.8 14.2a5.4 5.4 0 1 0 0-10.8 5.4 5.4 0 0 0 0 10.8m3.9-1.5 4 4",
  close: "m5 5 10 10M15 5 5 15",
  plus: "M10 4v12M4 10h12",
  play: "M6.5 4.2v11.6l9-5.8z",
  pause: "M7 4.5v11m6-11v11",
  left: "m12 4.5-5.5 5.5 5.5 5.5",
  right: "m8 4.5 5.5 5.5L8 15.5",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14m0-11v4.2l2.8 1.8",
  rotate: "M15.8 8A6.2 6.2 0 0 0 4.6 7M4.2 12a6.2 6.2 0 0 0 11.2 1M4.2 3.6V7.2h3.6M15.8 16.4v-3.6h-3.6",
  undo: "M7.5 4.5 4 8l3.5 3.5M4.5 8h7a4 4 0 0 1 0 8H8",
  redo: "M12.5 4.5 16 8l-3.5 3.5M15.5 8h-7a4 4 0 0 0 0 8H12",
  road: "M5.5 16.5 8 3.5m4 0 2.5 13M10 4v2m0 2.5v2m0 2.5v3",
  target: "M10 3v3m0 8v3M3 10h3m8 0h3m-7 3.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7",
  phone: "M6.5 3h7v14h-7zM9.2 14.6h1.6",
  out: "M12 6V3.5H3.8v13H12V14m-4-4h9m-3-3 3 3-3 3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark: a dial whose needle points the way. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="logo-plate" width="32" height="32" rx="8" />
      <path className="logo-dial" d="M7.5 21.5a9.2 9.2 0 1 1 17 0" />
      <path className="logo-needle" d="m16 19.5 4.6-6.4" />
      <circle className="logo-hub" cx="16" cy="20" r="2.6" />
    </svg>
  );
}

/** Files that are wrong in the way that the fleet file's page shows, by a part of the message. */
const account = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001";
const other = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1009";
const van = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a3001";
const unknownVan = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a3009";
const fresh = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a9001";

const device = { type: "device", id: fresh, account_id: account, imei: "356307042441099", name: "Van 9" };
const fence = { type: "geofence", id: fresh, account_id: account, name: "Yard" };
const polygon = (ring: readonly (readonly number[])[]) => ({
  ...fence,
  shape: "polygon",
  geometry: { type: "Polygon", coordinates: [ring] },
});

type Line = Readonly<Record<string, unknown>> | string;

const files: readonly (readonly [message: string, ...lines: Line[]])[] = [
  ["expected one JSON object", '{"type":"account",'],
  [
    "was changed in the portal",
    { ...device, id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a3002", imei: "356307042441021", name: "Van 2", plate: "RV 102" },
  ],
  ['field "name": expected text of 1 to 200 characters', { type: "account", id: other }],
  [
    "does not cross or touch itself",
    polygon([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]),
  ],
  ["356307042441099 is used by line 1", device, { ...device, id: unknownVan }],
  ["belongs to another device already", { ...device, imei: "356307042441013" }],
  ["cannot move", { type: "account", id: other, name: "Another" }, { ...device, id: van, account_id: other }],
  [
    'account field "colour" is not known',
    { type: "account", id: account, name: "Riverside Deliveries", colour: "red" },
  ],
];

export function fileThatSays(message: string): string {
  const [found, ...more] = files.filter(([part]) => message.includes(part));
  if (!found || more.length > 0)
    throw new Error(`one file should say so, not ${more.length + (found ? 1 : 0)}: ${message}`);
  const [, ...lines] = found;
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

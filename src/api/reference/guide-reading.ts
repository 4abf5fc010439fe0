import { type FormatName, formatNames, mediaTypes } from "../formats/format.ts";
import { defaultLimit, maxListRows } from "../input/parameters.ts";
import { maxWindowDays } from "../lists/paging.ts";
import { html } from "./html.ts";
import { codeBlock, type ProseSection } from "./prose.ts";

const pagingLoop = `let cursor = "";
do {
  const answer = await fetch(\`\${base}/devices?cursor=\${cursor}\`, { headers: { "X-API-Key": key } });
  const page = await answer.json();
  if (!answer.ok) throw new Error(page.error.code);
  for (const device of page.data) handle(device);
  cursor = page.next_cursor;
} while (cursor !== null);`;

const pollingLoop = `curl -i -H "X-API-Key: $KEY" "$BASE/positions/latest"
# 200, and ETag: "mZ0nq3R1cO8bX2u5v7KdLA"

curl -i -H "X-API-Key: $KEY" -H 'If-None-Match: "mZ0nq3R1cO8bX2u5v7KdLA"' "$BASE/positions/latest"
# 304 and no body, as long as nothing has changed`;

export function recordSection(): ProseSection {
  return {
    id: "records",
    title: "Records",
    body: html`<p>Answers are JSON. A single record is in <code>data</code>; a list has its records in <code>data</code> and the way
to the next page in <code>next_cursor</code>.</p>
<ul>
<li>Every field is always there. What is not known is <code>null</code>.</li>
<li>Units are part of the names: <code>speed_kmh</code>, <code>distance_km</code>, <code>idle_s</code>, <code>_deg</code> clockwise
from north. Coordinates are WGS 84, in degrees.</li>
<li>Times are UTC with milliseconds: <code>2026-03-17T08:02:30.000Z</code>.</li>
<li>Ignore fields that you do not know: within this version records may gain some, and none are removed.</li>
</ul>
<p>Wherever a device id is expected, its IMEI works, too. <code>device_id</code> and <code>imei</code> together must name the
same device.</p>`,
  };
}

export function pagingSection(): ProseSection {
  return {
    id: "paging",
    title: "Paging",
    body: html`<p>A page has ${defaultLimit} rows, or as many as <code>limit</code> says, up to ${maxListRows}. Pass
<code>next_cursor</code> as <code>cursor</code> until it is null. A short page does not mean the end.</p>
${codeBlock("JavaScript", pagingLoop)}
<p>A cursor is opaque and belongs to one endpoint and one viewer. It carries the window and the filters of the first request, so
they need not be repeated; a parameter that contradicts it is 400, but <code>limit</code> may change. It works on every node and after a
restart, and does not expire. No row is skipped or repeated while new ones are being
written.</p>
<p>Things that happened come in ascending time, then id; devices, positions, geofences and users in ascending id; mileage by
device, then day; sums by device or tag, then period.</p>`,
  };
}

export function formatSection(): ProseSection {
  const items = formatNames
    .filter((name) => name !== "json")
    .map((name) => html`<li><code>${name}</code>: <code>${mediaTypes[name]}</code>. ${formatWords[name]}</li>\n`);
  return {
    id: "formats",
    title: "Formats",
    body: html`<p>Lists are JSON unless the request asks for another format, by <code>format</code> or by the header
<code>Accept</code>; the parameter wins. Pages, limits and cursors are the same. Single records and errors are always JSON.</p>
<ul>
${items}</ul>
<p>The next page is in <a href="#header-Link"><code>Link</code></a>, in every format. An <code>Accept</code> that names none of
these gets JSON; an unknown <code>format</code> is 400.</p>
<p><code>fields</code> leaves out all other fields, and <code>include_names=true</code> adds names beside ids, as a spreadsheet needs
them. Names are those of now. One that the key may not see is <code>null</code>, or left out of <code>geofence_names</code>; people's
names need <code>users:read</code>, and a sub-account sees none of other users. In <code>/changes</code> names stand beside the
change's ids, not within its <code>record</code>.</p>
${codeBlock("Shell", `curl -H "X-API-Key: $KEY" "$BASE/trips?format=csv"\ncurl -H "X-API-Key: $KEY" -H "Accept: application/geo+json" "$BASE/positions/latest"`)}`,
  };
}

const formatWords: Readonly<Record<FormatName, string>> = {
  json: "",
  csv: "A header row, then a row for each record. What a spreadsheet would run as a formula gets an apostrophe in front.",
  ndjson: "One record a line.",
  geojson: "A FeatureCollection: the record is in the properties.",
  gpx: "History as a track, trips as routes from start to end.",
};

export function windowSection(): ProseSection {
  return {
    id: "windows",
    title: "Time windows",
    body: html`<p><code>from</code> is included, <code>to</code> is not. Without <code>to</code> the window ends now; without
<code>from</code> it begins 24 hours before its end.</p>
<p>A window is about when something happened, not about when it became known. To follow what happens, do not continue where the
last window ended: <a href="#following">read the changes</a>.</p>
<p>Times are ISO 8601, with <code>Z</code>, with an offset, or without one, which is UTC. A date alone is midnight UTC. In a URL a
<code>+</code> is written <code>%2B</code>; if a client forgets that, the time is still understood.</p>
<p>A window may span ${maxWindowDays} days, for mileage 366. From a longer one the oldest part is cut, never the newest.
<code>X-Window-From</code> and <code>X-Window-To</code> show which window was read, and <code>X-Window-Clamped: true</code> that it was
cut.</p>`,
  };
}

export function pollingSection(): ProseSection {
  return {
    id: "polling",
    title: "Live positions",
    body: html`<p>Nothing is pushed. Poll <a href="#listLatestPositions"><code>/positions/latest</code></a> every 10 seconds and send
the <code>ETag</code> of the last answer back as <code>If-None-Match</code>; faster gains nothing. The tag changes when, and only when,
the body would. A 304 does not count against the day, and works even when the day's requests are used up. Keep a tag for each
page's URL. Each compressed form has its own tag; <code>If-None-Match</code> may hold any of them, several, weak forms or
<code>*</code>.</p>
${codeBlock("Shell", pollingLoop)}
<p><a href="#listPositionHistory"><code>/positions/history</code></a> is for backfill and reports. Do not poll it.</p>`,
  };
}

export function followingSection(): ProseSection {
  return {
    id: "following",
    title: "Following what happens",
    body: html`<p>To keep a copy of the fleet, or to react to what happens, read
<a href="#listChanges"><code>/changes</code></a>: everything that became known, was corrected or was withdrawn since the last
call. Windows that follow one another miss whatever becomes known late: trackers send frames after minutes or days, and late
frames correct or withdraw what was derived before.</p>
<ul>
<li>To begin, call it without <code>after</code> and remember <code>resume_after</code>. Then read the past with the other lists,
<code>/devices</code> first. Then follow from it: nothing is missed, and a record that comes twice replaces itself by its <code>id</code>.</li>
<li>Read pages until <code>next_cursor</code> is null, then begin with the newest <code>resume_after</code>. Store it together with
what you made of the page.</li>
<li><code>put</code> replaces a record, <code>removed</code> deletes it. A device that is removed takes along what you have of it;
the past of one that is new to you is in the lists.</li>
<li>Send the <code>ETag</code> of the last answer back: a 304 is free.</li>
<li>Removals are remembered for 31 days. An older <code>after</code> may be a 410, <code>CURSOR_EXPIRED</code>: start again.</li>
</ul>
<p>The lists with a window are for reports on a past period, and <a href="#polling">live positions</a> for a map.</p>`,
  };
}

// What an integrator would run, in plain JavaScript, on the client as it is published. The test tells where it is.
const [where, url, key, from, to] = process.argv.slice(2);
const { OdographClient, OdographError } = await import(where);

const odograph = new OdographClient({ url, key });
const devices = await odograph.listDevices({ limit: 1 }).all();
const times = [];
for await (const { recorded_at } of odograph.listPositionHistory({ imei: devices[0].imei, from, to, limit: 1 })) {
  times.push(recorded_at);
}
const refused = await odograph.getDevice("nobody").catch((error) => error);
const isOurs = refused instanceof OdographError;
console.log(JSON.stringify({ names: devices.map(({ name }) => name), times, code: refused.code, isOurs }));

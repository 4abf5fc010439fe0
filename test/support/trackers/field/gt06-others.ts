import type { FieldMessage } from "../field-message.ts";
import { field, noPlace, now, place, traccarIssue, traccarTests } from "./gt06-notes.ts";

const topinTests =
  "https://github.com/traccar/traccar/blob/master/src/test/java/org/traccar/protocol/TopinProtocolDecoderTest.java";
/** Its file has the bytes that a tracker of 365GPS sent. */
const topinServer = "a server in TypeScript, protoTopinCreatePositionPacketEx";
const topinLogin = ["78780d010359339078151063280d0a"];

/** More models, modular messages, information, texts, requests, and Topin's dialect. */
export const gt06OtherMessages: readonly FieldMessage[] = [
  field(
    [traccarTests, "TRX16i"],
    "78783536190c1d0f1724cf026cc9140c367d4000940001cc0025ef0540e88c01000000000064051428000006c3000001453f9201003477560d0a",
    "location 0x36",
    [
      place("2025-12-29T15:23:36Z", [22.602109, 113.832, 0, 0], {
        satellites: 15,
        ignition: true,
        external_voltage_v: 13,
        driver_id: "c3000001453f9201",
      }),
    ],
    "787805360034b5590d0a",
  ),
  field(
    [traccarTests, "TRX16i, an alarm of its own"],
    "78782d16190c1d0e3b03cf026cc8d40c367d800014000801cc0025ef40e88c450604e801c3000001453f920100271e590d0a",
    "alarm 0x16",
    [
      place("2025-12-29T14:59:03Z", [22.602073, 113.832036, 0, 0], {
        satellites: 15,
        ignition: false,
        battery_percent: 100,
        event: null,
        driver_id: "c3000001453f9201",
      }),
    ],
    "78780516002794780d0a",
  ),
  field(
    [traccarTests, "LW4G"],
    "787840a218061b0e0f05cf021d22430aa2660b005c00014e140000026500000000024d4e02114504df06031c010007d00000000000086973105524576500c802a86fda0d0a",
    "location 0xa2",
    [
      place("2024-06-27T14:15:05Z", [19.702082, -99.119508, 0, 0], {
        satellites: 15,
        ignition: false,
        external_voltage_v: 12.47,
        odometer_km: 512,
        battery_percent: 100,
      }),
    ],
    "787805a202a832140d0a",
  ),
  field(
    [traccarTests, "AZ735"],
    "7979004a321106170c1b180cc900a875580b7ab4f00010350901fe0a007c0009112424007c000912240081004efe2100c500100f1200000000000000000000000000000000000000000000bc7c900d0a",
    "location 0x32",
    [place("2017-06-23T12:27:24Z", [-6.133382, 106.995049, 0, 53], { satellites: 9 })],
    "797900053200bcedd10d0a",
  ),
  field(
    [traccarTests, "AZ735 without a fix"],
    "79790045321106170c1b13000901fe0a007c0009112424007c000912230081004efe1e00c500100f120000000000000000000000000000000000000710bef565574e37000000b26f140d0a",
    "location 0x32",
    [noPlace("2017-06-23T12:27:19Z")],
    "797900053200b204af0d0a",
  ),
  field(
    [traccarTests, "unnamed, modular"],
    "797900a87000000001020035000100003300125d62bf3a0800e804b5994308814a87001d5d00340006115d62bf29000011000a012e02620000000000000001000803537601000129800002000803102608593397620003000a8901260852293397626600180002017d002b000116002c00045d6278ea0009000108000a00010b002800010b002e00040000f0c1002a00010000290004000000be0030000a000100b4000a00b402d00006c5490d0a",
    "location 0x70",
    [
      place("2019-08-25T17:02:50Z", [43.894508, -79.272751, 0, 349], {
        altitude_m: 232,
        hdop: 1.1,
        odometer_km: 61.633,
        satellites: 8,
      }),
    ],
    "78780570000677670d0a",
  ),
  field(
    [traccarTests, "a Bluetooth tag"],
    "7979001f70002c00046919c641007f000ec4a82841074a7fff64012201dc071ea430360d0a",
    "location 0x70",
    [
      {
        recordedAt: "2025-11-16T12:40:33Z",
        latitude: null,
        longitude: null,
        sensors: [{ kind: "temperature", sensor: "c4a82841074a", temperature_c: 29, humidity_percent: 47.6 }],
      },
    ],
    "787805701ea4fefe0d0a",
  ),
  field(
    [traccarTests, "FM08ABC, OBD in Israel"],
    "797900cd8c15010d08200d013137333d302c3232333d312c3238333d30303032373464382c3436333d30303030303239352c3437333d30303030363333622c3438333d30303030303036372c3242333d30303030303030302c3244333d30303030316332302c3335333d30303030323133342c3336333d30303033626430382c3339333d30303030303336622c3330333d30303030303539362c3439333d30303030306563382c3441333d2c3341333d30303030303430352c3530333d30303030cb03850c3603c025af5414a6003fc5940d0a",
    "OBD 0x8c",
    [place("2021-01-13T08:32:13Z", [32.806146, 34.957893, 84, 166], { satellites: 11, ignition: true })],
    null,
  ),
  field(
    ["https://github.com/eusonlito/GPS-Tracker/issues/113", "Concox C5, voltage"],
    "79790008940004f700070c430d0a",
    "information 0x94",
    [now({ external_voltage_v: 12.71 })],
    null,
  ),
  field(
    [traccarTests, "voltage in a short frame"],
    "7878079404eb001c705d0d0a",
    "voltage 0x94",
    [now({ external_voltage_v: 12.59 })],
    null,
  ),
  field(
    [traccarTests, "temperature and humidity"],
    "7979000e941e000000d5000002ee00f59b850d0a",
    "information 0x94",
    [now({ sensors: [{ kind: "temperature", sensor: "1", temperature_c: 21.3, humidity_percent: 75 }] })],
    null,
  ),
  field(
    [traccarTests, "a card as text"],
    "79790019941b524649443a3030384642324245424133390d0a000c14930d0a",
    "information 0x94",
    [now({ driver_id: "008FB2BEBA39" })],
    null,
  ),
  field(
    [traccarTests, "a card as bytes"],
    "7979000e941b02084277efef350303eadaed0d0a",
    "information 0x94",
    [now({ driver_id: "4277efef" })],
    null,
  ),
  field(
    [traccarIssue(4213), "GT06N, ICCID"],
    "79790020940a035160808482034403340201998760788952020617251318615f000253a60d0a",
    "information 0x94",
    [],
    null,
  ),
  field(
    [traccarTests, "a place as text"],
    "7979007121000000000143757272656e7420706f736974696f6e214c61743a4e35342e3733393333322c4c6f6e3a4532352e3237333237302c436f757273653a3132362e35332c53706565643a302e303030302c4461746554696d653a323031372d30352d3236202031303a32373a3437000bbee30d0a",
    "answer to a command 0x21",
    [place("2017-05-26T10:27:47Z", [54.739332, 25.27327, 0, 126.53])],
    null,
  ),
  field(
    [traccarTests, "X1, a photo"],
    "78781f3511061a0b24330503107d06084889cb01000100000cfa20e3acd301333fcb0d0a",
    "photo 0x35",
    [],
    null,
  ),
  field(
    [traccarIssue(4213), "GT06N, asks for the time"],
    "7878058a0001fc960d0a",
    "time request",
    [],
    "78780b8a1a0b110c0000000175d40d0a",
  ),
  field(
    [traccarTests, "Topin, GPS"],
    "7878121011091c0b1b2999058508040097a89e0034520d0a",
    "location 0x10",
    [place("2017-09-28T11:27:41Z", [51.4469, 5.521723, 0, 82], { satellites: 9 })],
    "7878001011091c0b1b290d0a",
  ),
  field(
    [traccarTests, "Topin with its altitude"],
    "78781511170103100e1f9904efe30400a97f88003410ffdd000d0a",
    "location 0x11",
    [place("2023-01-03T16:14:31Z", [46.016713, 6.17124, 0, 16], { satellites: 9, altitude_m: -35 })],
    "78780011170103100e1f0d0a",
  ),
  field(
    [traccarTests, "Topin, access points"],
    "787803691604130318491475905bd30e25001e10bbf7635d14759006e626560501cc0028660f213228660f1f2828660ea81e286610731428660f20140d0a",
    "access points 0x69",
    [noPlace("2016-04-13T03:18:49Z")],
    "787800691604130318490d0a",
  ),
  field(
    [topinTests, "Topin, access points and 4G cells"],
    "787803181604130318491475905bd30e25001e10bbf7635d14759006e626560401cc00000028660090df425f000028660090df576c00002866009487566700002866009ca15667000d0a",
    "access points 0x18",
    [noPlace("2016-04-13T03:18:49Z", { event: null })],
    "787800181604130318490d0a",
  ),
  field(
    [topinServer, "Topin, access points and 4G cells"],
    "78780818250726121819f4e2c62744b43d24a43cfa9b843fa8316289f7d341a8c0ea1e780446943c96402db047001d1a19df8048788102cfc2f148f88e85ff29ab490300d60700001dc50112f60a5400001dc50112f61e6200001dc50112f60a54000d0a",
    "access points 0x18",
    [noPlace("2025-07-26T12:18:19Z", { event: null })],
    "787800182507261218190d0a",
    { before: topinLogin },
  ),
  field(
    [topinServer, "Topin, the same, sent later"],
    "78780819250726090759a8a2378b097c3bf4e2c62744b445a8c0ea1e78444524a43cfa9b84482ceadc9abc3f4d9897d103eaa14f30b1b5065ecc5164cc224ba2dc540300d60700001dc50112f61e5700001dc50112f60a6000001dc50112f61e57000d0a",
    "access points 0x19",
    [noPlace("2025-07-26T09:07:59Z", { event: null })],
    "787800192507260907590d0a",
    { before: topinLogin },
  ),
  field(
    [traccarIssue(5200), "Topin ZX905"],
    "7878081a231024143712a439b373813c33c0252fa72eaa3afef5c4ab2ba15108c6b333865c5450d4f78e17d05650642b77c2ef5a7062b8ceab8c5b12521ce1bcca5b0300fa0200001d240b4bc7016d00001d240b4bc7016d00001d240b4bc7016d000d0a",
    "access points 0x1a",
    [noPlace("2023-10-24T14:37:12Z", { event: null })],
    "7878001a2310241437120d0a",
  ),
  field(
    [topinTests, "Topin, cells and an alarm"],
    "7878006921120412565802010601071e4a9764071e4a9864010d0a",
    "access points 0x69",
    [noPlace("2021-12-04T12:56:58Z", { event: "vibration" })],
    "787800692112041256580d0a",
  ),
  field([topinTests, "Topin, call for help"], "787801990d0a", "alarm 0x99", [now({ event: "sos" })], null, {
    before: topinLogin,
  }),
  field([topinTests, "Topin, knock"], "787801940d0a", "alarm 0x94", [now({ event: "vibration" })], null, {
    before: topinLogin,
  }),
  field([traccarTests, "Topin"], "78780d010359339075005244340d0a", "login", [], "78780d01010d0a", {
    imei: "359339075005244",
  }),
];

import type { FieldMessage } from "../field-message.ts";
import { field, noPlace, place, traccarIssue, traccarTests } from "./gt06-notes.ts";

/** Alarms as the manuals describe them. */
export const gt06AlarmMessages: readonly FieldMessage[] = [
  field(
    ["https://github.com/CoolElvis/gt06_server", "GT06, SOS in one place and speeding in another"],
    "787825160b0b0f0e241dcf027ac8870c4657e60014020901cc00287d001f726506040101003656a40d0a",
    "alarm 0x16",
    [
      place("2011-11-15T14:36:29Z", [23.111755, 114.40923, 0, 2], {
        satellites: 15,
        ignition: false,
        battery_percent: 100,
        event: "sos",
      }),
    ],
    "78780516003695700d0a",
  ),
  field(
    [traccarIssue(171), "GT06, low battery"],
    "787825160d0306072934c003a3980900bd572a011ce609025c02000b0050a218010400020003a7770d0a",
    "alarm 0x16",
    [
      place("2013-03-06T07:41:52Z", [33.918298, -6.893677, 1, 230], {
        satellites: 0,
        ignition: false,
        battery_percent: 16,
        event: "low_battery",
      }),
    ],
    "787805160003f35e0d0a",
  ),
  field(
    [traccarIssue(3915), "unnamed, power cut in both places"],
    "7878251612060612000fc3028d91e809b292b60005540901d601521d0066cf100603020200010a730d0a",
    "alarm 0x16",
    [noPlace("2018-06-06T18:00:15Z", { satellites: 3, ignition: false, battery_percent: 100, event: "power_cut" })],
    "787805160001d04c0d0a",
  ),
  field(
    [traccarTests, "unnamed, in India, speeding"],
    "78782516110819110208d402f264dc08289a4058d4c70901944600d300c0954606040600014057e90d0a",
    "alarm 0x16",
    [
      place("2017-08-25T17:02:08Z", [27.466647, 76.043698, 88, 199], {
        satellites: 4,
        ignition: true,
        battery_percent: 100,
        event: "overspeed",
      }),
    ],
    "7878051601409a190d0a",
  ),
  field(
    [traccarTests, "unnamed, vibration"],
    "787825160f0c1d0a2b21c8027ac8040c46581000146f0901cc00287d001f714804040301001c84cf0d0a",
    "alarm 0x16",
    [
      place("2015-12-29T10:43:33Z", [23.111682, 114.409253, 0, 111], {
        satellites: 8,
        ignition: false,
        battery_percent: 66,
        event: "vibration",
      }),
    ],
    "78780516001c1b280d0a",
  ),
  field(
    [traccarTests, "G18, braking"],
    "787825161a011c141001cf00bc62e0043533a231113808028005006800124b470603300204baa49a0d0a",
    "alarm 0x16",
    [
      place("2026-01-28T20:16:01Z", [-6.858933, 39.219717, 49, 312], {
        satellites: 15,
        ignition: true,
        battery_percent: 100,
        event: "harsh_braking",
      }),
    ],
    "7878051604babc740d0a",
  ),
  field(
    [traccarTests, "opened case and towing, with a wide field for the cell"],
    "78784a1614051c150204ec02777e560c2a2a2a5314af000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000007e061b0982004b24c00d0a",
    "alarm 0x16",
    [
      place("2020-05-28T21:02:04Z", [22.991977, 113.383277, 83, 175], {
        satellites: 12,
        ignition: true,
        battery_percent: 100,
        event: "tampering",
      }),
      place("2020-05-28T21:02:04Z", [22.991977, 113.383277, 83, 175], {
        satellites: 12,
        ignition: true,
        battery_percent: 100,
        event: "towing",
      }),
    ],
    "78780516004b3d120d0a",
  ),
  field(
    [traccarTests, "unnamed, vibration without a fix"],
    "7878252612030c063816c3026c10540c38c9700144030901cc002866000eee0c06040302000da2db0d0a",
    "alarm 0x26",
    [noPlace("2018-03-12T06:56:22Z", { satellites: 3, ignition: false, battery_percent: 100, event: "vibration" })],
    "78780526000d9c8e0d0a",
  ),
  field(
    [traccarTests, "unnamed, switched on"],
    "78782526160913063918c002780fab0c44750f00040008027f14084c0038420600030c020007398e0d0a",
    "alarm 0x26",
    [noPlace("2022-09-19T06:57:24Z", { satellites: 0, ignition: true, battery_percent: 0, event: "power_on" })],
    "78780526000733d40d0a",
  ),
  field(
    [traccarTests, "unnamed, in New Jersey, network of two bytes"],
    "78782727110c0b0e170f850450059107f461ae001c7e0a81360104cb8a00bef32806030c02ff000316b10d0a",
    "alarm 0x27",
    [
      place("2017-12-11T14:23:15Z", [40.196205, -74.14239, 0, 126], {
        satellites: 5,
        ignition: false,
        battery_percent: 100,
        event: "power_on",
      }),
    ],
    "7878052700032f2c0d0a",
  ),
  field(
    [traccarTests, "JM-LL301, opened"],
    "78782da41a0509160203cf05be31f80c306530001c0010012ed000007ef40000000006428b074205041302ff0009389c0d0a",
    "alarm 0xa4",
    [
      place("2026-05-09T22:02:03Z", [53.528173, -113.610124, 0, 0], {
        satellites: 15,
        ignition: true,
        battery_percent: 83,
        event: "tampering",
      }),
    ],
    "787805a4000963fe0d0a",
  ),
  field(
    [traccarTests, "JM-LL301, switched off, network of two bytes"],
    "78782ea4110c0c02281bf6026c18720c38d22800149c1181cc00010000260e000000000615f8012c05041102ff001058fd0d0a",
    "alarm 0xa4",
    [
      place("2017-12-12T02:40:27Z", [22.576988, 113.916893, 0, 156], {
        satellites: 6,
        ignition: false,
        battery_percent: 83,
        event: "power_off",
      }),
    ],
    "787805a40010eebe0d0a",
  ),
  field(
    [traccarTests, "GK310, one fence"],
    "78782ca3110b10081336f000000000000000000004003901cc0000009191000000000906170304050400010003e0940d0a",
    "alarm 0xa3",
    [noPlace("2017-11-16T08:19:54Z", { satellites: 0, ignition: false, battery_percent: 83, event: null })],
    "787805a3000340a10d0a",
  ),
  field(
    [traccarTests, "JC400, cornering in Canada"],
    "78789795ffff01180b0d031406da04b5ab0d08813df01ca9002c008a9200004556454e545f3836323739383035323432393038375f30303030303030305f323032345f31315f31325f32325f32305f30365f495f35362e6d70342c4556454e545f3836323739383035323432393038375f30303030303030305f323032345f31315f31325f32325f32305f30365f465f35352e6d70340037d45b0d0a",
    "alarm 0x95",
    [
      place("2024-11-13T03:20:06Z", [43.897038, -79.27096, 44, 169], {
        external_voltage_v: 13.8,
        event: "harsh_cornering",
      }),
    ],
    "78780595003767710d0a",
  ),
  field(
    [traccarTests, "JC100, acceleration"],
    "78780c95130a0209321c90000112800d0a",
    "alarm 0x95",
    [{ recordedAt: "2019-10-02T09:50:28Z", latitude: null, longitude: null, event: "harsh_acceleration" }],
    "78780595000133c40d0a",
  ),
];

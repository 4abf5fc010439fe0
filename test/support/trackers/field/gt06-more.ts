import type { FieldMessage } from "../field-message.ts";
import { field, noPlace, now, place, traccarTests } from "./gt06-notes.ts";

/** More of what newer models send beside places. */
export const gt06MoreMessages: readonly FieldMessage[] = [
  field(
    [traccarTests, "TRX16i without a driver"],
    "78783536190c1d0f2806cf026cc9140c367d4000540001cc0025ef0540e88c00000000000064051e2800001600000000000000006e5bc2660d0a",
    "location 0x36",
    [
      place("2025-12-29T15:40:06Z", [22.602109, 113.832, 0, 0], {
        satellites: 15,
        ignition: false,
        external_voltage_v: 13.1,
        driver_id: null,
      }),
    ],
    "787805366e5bd1ed0d0a",
  ),
  field(
    [traccarTests, "Seeworld GL21L, worn"],
    "787818a300000005321e020000000002584f000100060000008f920d0a",
    "heartbeat 0xa3",
    [now({ ignition: false, battery_percent: 79 })],
    "787805a30000723a0d0a",
  ),
  field(
    [traccarTests, "VL842, its state"],
    "79790026f16318c0000001010100020101000301000004010100050201950006010010000100008021af0d0a",
    "device state 0xf1",
    [{ recordedAt: "2022-09-07T16:00:00Z", latitude: null, longitude: null, fix: null, ignition: true }],
    "787805f10080c0690d0a",
  ),
  field(
    [traccarTests, "VL842, what is attached"],
    "79790037f26718e389000b0a0423027aca200c465a60000a001d01c4a82828ccfe0000024254425554544f4e2c412c53233136382c35340016a1eb0d0a",
    "peripherals 0xf2",
    [{ recordedAt: "2024-10-23T11:52:41Z", latitude: null, longitude: null, fix: null, ignition: null }],
    "787805f20016deb20d0a",
  ),
  field(
    [traccarTests, "unnamed, modular, removed"],
    "797900a87000000001020035000101003300125d7e3a180600d504b598f708814b3a001d1500340006125d7e39dc000011000a012e02620000000000000001000803537601000129800002000803102608593397620003000a89012608522933976266001800020172002b000114002c00045d7df3c70009000106000a000109002800010d002e00040000f25d002a000111002900040000017e0030000a000100b4000a00b402d0000591250d0a",
    "location 0x70",
    [
      place("2019-09-15T13:18:16Z", [43.894466, -79.27285, 0, 277], {
        altitude_m: 213,
        hdop: 1.3,
        odometer_km: 62.045,
        satellites: 6,
        event: "tampering",
      }),
    ],
    "78780570000545fc0d0a",
  ),
  field(
    [traccarTests, "AZ735, armed"],
    "797900143311070609020b00000000a0030046000109e4610d0a",
    "alarm 0x33",
    [noPlace("2017-07-06T09:02:11Z", { event: null })],
    "797900053301094cf30d0a",
  ),
  field(
    [traccarTests, "voltage as kind 11"],
    "79790008940b02e3048614200d0a",
    "information 0x94",
    [now({ external_voltage_v: 7.39 })],
    null,
  ),
  field([traccarTests, "network as kind 11"], "79790007940b010a0b5ace0d0a", "information 0x94", [], null),
  field(
    [traccarTests, "a door with its time"],
    "7979000d940516090908081c030defbd2d0d0a",
    "information 0x94",
    [{ recordedAt: "2022-09-09T08:08:28Z", latitude: null, longitude: null, fix: null }],
    null,
  ),
  field(
    [traccarTests, "FM08ABC, values of the engine"],
    "797900a56615010d081f3b012c323131303d30303033643238342c323130353d30303030316332302c323130623d30303030326537632c323130633d30303033643238342c323130663d30303030306331632c323130643d30303030323166632c323161363d30303030303030302c323130343d30303030306531302c323132663d30303030303030302c323134353d30303030303030302ccb03851f5f03c020525514a7003e216a0d0a",
    "OBD 0x66",
    [place("2021-01-13T08:31:59Z", [32.808871, 34.95713, 85, 167], { satellites: 11, ignition: true })],
    null,
  ),
  field([traccarTests, "serial port"], "797900109b0344373532304136320d0a000f87f00d0a", "serial data 0x9b", [], null),
  field(
    [traccarTests, "unnamed, 4G cells and access points"],
    "787895a2180b0f0f1d2602dc65000069810000000009569e9648000069810000000009569e3255000069810000000009569e0052000069810000000009569ec846000069810000000009569e64320000000000000000000000000000000000000000000000000000ff06f27cf64f17e13c909a4a53778c3dc83a350fa1b84522976d5ea4854854af976b9ab04cb04e26d703925102a1ce550d0a",
    "cells 0xa2",
    [noPlace("2024-11-15T15:29:38Z")],
    "787805a202a1afd50d0a",
  ),
  field(
    [traccarTests, "Space10x, cells"],
    "7878171915061810051a01f90101700d08c8f50c0000065494ae0d0a",
    "cells 0x19",
    [noPlace("2021-06-24T16:05:26Z")],
    "787805190654cb730d0a",
  ),
  field(
    [traccarTests, "access points with a binary time"],
    "787844f3140c0b0a262a070000dc9fdb1c1d760000c83a3569a37100008825937287000000ec41180c8209000088c39749553700003891d5604d6300003891d5604d68002ec4230d0a",
    "access points 0xf3",
    [noPlace("2020-12-11T10:38:42Z")],
    null,
  ),
  field(
    [traccarTests, "GK310, asks for an address"],
    "78782ba701cc000000919100000000090617032b3836313832323038343735363200000000000000000100049fb60d0a",
    "address request 0xa7",
    [],
    "787805a70004577f0d0a",
  ),
  field(
    [traccarTests, "a longer answer"],
    "7878661500000000004459443d537563636573732100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010009e82b0d0a",
    "answer to a command 0x15",
    [],
    null,
  ),
];

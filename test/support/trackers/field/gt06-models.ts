import type { FieldMessage } from "../field-message.ts";
import { field, place, traccarTests } from "./gt06-notes.ts";

/** Layouts of single models. */
export const gt06ModelMessages: readonly FieldMessage[] = [
  field(
    [traccarTests, "VXT01"],
    "7878241216040e102c22cf00915ffb04c6016300195a02d402283b00753f400571040001dda4880d0a",
    "location 0x12",
    [
      place("2022-04-14T16:44:34Z", [-5.292939, -44.491859, 0, 346], {
        satellites: 15,
        ignition: false,
        external_voltage_v: 13.93,
      }),
    ],
    "7878051201ddb6140d0a",
  ),
  field(
    [traccarTests, "VXT01, SOS"],
    "7878241617070a150e24ca01fba0040780e177005c0001720253360027db6204e40400004bf1e90d0a",
    "alarm 0x16",
    [
      place("2023-07-10T21:14:36Z", [18.482064, -69.937133, 0, 0], {
        satellites: 10,
        ignition: true,
        external_voltage_v: 12.52,
        event: "sos",
      }),
    ],
    "78780516004b3d120d0a",
  ),
  field(
    [traccarTests, "Benway"],
    "787821121303120b2524c70138e363085b549003d43301940057d200cd52c000006aa1ca0d0a",
    "location 0x12",
    [place("2019-03-18T11:37:36Z", [11.391913, 77.89064, 3, 51], { satellites: 7, ignition: true })],
    "78780512006a6ef80d0a",
  ),
  field(
    [traccarTests, "S5"],
    "78782b1215050d03041bcf031ff30a0be795bc001c17014e14a065dd95314504b6040000001c00000cd90ab8fb6f0d0a",
    "location 0x12",
    [
      place("2021-05-13T03:04:27Z", [29.125268, -110.95918, 0, 23], {
        satellites: 15,
        ignition: false,
        external_voltage_v: 12.06,
        odometer_km: 32.89,
        sensors: [{ kind: "temperature", sensor: "1", temperature_c: 28, humidity_percent: null }],
      }),
    ],
    "787805120ab866170d0a",
  ),
  field(
    [traccarTests, "WeTrust"],
    "78782912170316053b3bcf015b51220af1201105d56100000000000000000000869c0130010000000238d1af0d0a",
    "location 0x12",
    [
      place("2023-03-22T05:59:59Z", [12.645423, 101.985858, 5, 353], {
        satellites: 15,
        ignition: true,
        odometer_km: 34.46,
        event: "general",
        driver_id: null,
      }),
    ],
    "7878051202382cdf0d0a",
  ),
  field(
    [traccarTests, "GT06E with a card reader"],
    "7878711213081f081d0fc6017ba3fa0ac62a923e550e02080503f300b26d000000004b20202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202030300017c7470d0a",
    "location 0x12",
    [
      place("2019-08-31T08:29:15Z", [13.82229, 100.42177, 62, 270], {
        satellites: 6,
        ignition: false,
        driver_id: null,
      }),
    ],
    "787805120017c69a0d0a",
  ),
  field(
    [traccarTests, "QH302R"],
    "7878271208667030665022971a020c0a1e32c601727c1c0f89af002c14fa01366e000100010c003c1fdd0d0a",
    "location 0x12",
    [place("2026-02-12T10:30:50Z", [13.48894, 144.82304, 44, 250], { satellites: 6, ignition: null, event: null })],
    "78780512003c594b0d0a",
  ),
  field(
    [traccarTests, "SR411 mini"],
    "78782e2416061a103600c80275298404a0a24000184602d4023a49006f060104ed01940000086508004139765000be7d640d0a",
    "location 0x24",
    [
      place("2022-06-26T16:54:00Z", [-22.907096, -43.1312, 0, 70], {
        satellites: 8,
        ignition: true,
        external_voltage_v: 12.61,
      }),
    ],
    "7878052400beae260d0a",
  ),
  field(
    [traccarTests, "Seeworld with a thermometer"],
    "78782f221709130f3a32cc02c55f2a089f9afc005c2101360481fe066d9b03000000000025d4000000000020002d036049d70d0a",
    "location 0x22",
    [
      place("2023-09-19T15:58:50Z", [25.827437, -80.37646, 0, 33], {
        satellites: 12,
        ignition: false,
        odometer_km: 9.684,
        sensors: [{ kind: "temperature", sensor: "1", temperature_c: 0.32, humidity_percent: 0.45 }],
      }),
    ],
    "7878052203606d640d0a",
  ),
  field(
    [traccarTests, "Seeworld, SOS"],
    "787826161709130f3a2dcc02c55f2a089f9af9005c210901360481fe066d9b03413e420102035f92fe0d0a",
    "alarm 0x16",
    [
      place("2023-09-19T15:58:45Z", [25.827437, -80.376458, 0, 33], {
        satellites: 12,
        ignition: false,
        battery_percent: 62,
        event: "sos",
      }),
    ],
    "78780516035f41df0d0a",
  ),
  field(
    [traccarTests, "NT20"],
    "78783c22010357789648774484180c06142038180c06142038cb03313ee4061fe98300185e090000000000000000460984284c000200000000017101d6f35d0d0a",
    "location 0x22",
    [
      place("2024-12-06T20:32:56Z", [-29.755007, -57.085939, 0, 94], {
        satellites: 11,
        ignition: true,
        external_voltage_v: 24.36,
        odometer_km: 0,
        event: null,
      }),
    ],
    "7878052201d68e690d0a",
  ),
  field(
    [traccarTests, "XT40 with a driver"],
    "78784e25010356354871186947190909100e0f190909100e0fbf02846fe805078c900018000a02d410c80b0c352c17044605112a4700020000000005840f0102353130303635383036424446030113ed780d0a",
    "location 0x25",
    [
      place("2025-09-09T16:14:15Z", [-23.46324, -46.878231, 0, 0], {
        satellites: 15,
        ignition: true,
        external_voltage_v: 12.97,
        driver_id: "0235313030363538303642444603",
      }),
    ],
    "78780525011393cd0d0a",
  ),
  field(
    [traccarTests, "SL4X"],
    "78782a31180613012b39cc0274c4dc050d7cd000180002d4000ac3c70dbdc4150100000000000002a6000ea40b0d0a",
    "location 0x31",
    [
      place("2024-06-19T01:43:57Z", [-22.89278, -47.094444, 0, 0], {
        satellites: 12,
        ignition: true,
        odometer_km: 0,
        altitude_m: 678,
      }),
    ],
    "78780531000ea7850d0a",
  ),
  field(
    [traccarTests, "SL4X with its altitude"],
    "7878293218061301261ccd0274c4ad050d7c960018000a02d4000ac3c70dbdc40b46f004210202af001784290d0a",
    "alarm 0x32",
    [
      place("2024-06-19T01:38:28Z", [-22.892754, -47.094412, 0, 0], {
        satellites: 13,
        ignition: true,
        altitude_m: 687,
      }),
    ],
    "787805320017c5a10d0a",
  ),
  field(
    [traccarTests, "SL4X, power cut"],
    "78782732180214123324ca0162bdf0041f45d900190b0a02d4000bc5270000ec025206040202005e07e10d0a",
    "alarm 0x32",
    [
      place("2024-02-20T18:51:36Z", [-12.91576, -38.421312, 0, 267], {
        satellites: 10,
        ignition: true,
        battery_percent: 100,
        event: "power_cut",
      }),
    ],
    "78780532005e1a640d0a",
  ),
  field(
    [traccarTests, "X1"],
    "78783c3439000000120a0902093a07031f9e690529be2e00155500000016214901a30308b70000b3fb004aa82b059401a3422100000001000000007d9370b90d0a",
    "location 0x34",
    [
      place("2018-10-09T02:09:58Z", [29.113232, 48.12319, 0, 341], {
        satellites: 7,
        odometer_km: 1450.313,
        external_voltage_v: 14.28,
        driver_id: "4892715",
      }),
    ],
    null,
  ),
  field(
    [traccarTests, "RFID reader"],
    "7878281718060e021831c6026e8acc0c361b1000140001cc00286d000f4dbf0000012ca7e001000004b2630d0a",
    "location 0x17",
    [place("2024-06-14T02:24:49Z", [22.666069, 113.818036, 0, 0], { satellites: 6, driver_id: "bf0000012ca7e001" })],
    "787805170004dd3d0d0a",
  ),
  field(
    [traccarTests, "iButton reader"],
    "78782e610869412070143950190a1e0d3806c802b0eb0f0561ecdc00d80002d404000004215f0e000001395581000d1ca60d0a",
    "location 0x61",
    [place("2025-10-30T13:56:06Z", [-25.082746, -50.168727, 0, 0], { satellites: 8, driver_id: "20534657" })],
    "78780561000d16fd0d0a",
  ),
];

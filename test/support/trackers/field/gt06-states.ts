import type { FieldMessage } from "../field-message.ts";
import { field, noPlace, now, traccarIssue, traccarTests } from "./gt06-notes.ts";

/** Logins, heartbeats, cells and access points. */
export const gt06StateMessages: readonly FieldMessage[] = [
  field([traccarIssue(171), "GT06"], "78780d010864717003233347000163790d0a", "login", [], "787805010001d9dc0d0a", {
    imei: "864717003233347",
  }),
  field([traccarIssue(4213), "GT06N"], "78780d010351608084820344000003f60d0a", "login", [], "787805010000c8550d0a", {
    imei: "351608084820344",
  }),
  field(
    [traccarTests, "unnamed, with a zone"],
    "787811010864717003664467100f190a0002c6d20d0a",
    "login",
    [],
    "787805010002eb470d0a",
    { imei: "864717003664467" },
  ),
  field(
    ["https://github.com/eusonlito/GPS-Tracker/issues/113", "Concox C5, GMT+3"],
    "787811010867440067781500806612c10005bd4f0d0a",
    "login",
    [],
    "7878050100059ff80d0a",
    { imei: "867440067781500" },
  ),
  field(
    [traccarTests, "unnamed, with a type"],
    "787811010863586038760942a0010000010aa4000d0a",
    "login",
    [],
    "78780501010a7ed70d0a",
    { imei: "863586038760942" },
  ),
  field(
    [traccarIssue(4213), "GT06N"],
    "78780a1304060300020003691c0d0a",
    "heartbeat 0x13",
    [now({ ignition: false, battery_percent: 100, event: null })],
    "787805130003cae30d0a",
  ),
  field(
    [traccarIssue(4826), "GT02E"],
    "78780a13c40604000202b0ac7b0d0a",
    "heartbeat 0x13",
    [now({ ignition: false, battery_percent: 100, event: null })],
    "7878051302b07e430d0a",
  ),
  field(
    [
      "https://www.traccar.org/forums/topic/gt06-power-cut-alarm-no-event-generation-repeated-computed-attribute-problem",
      "GT06 clone, ignition on",
    ],
    "78780a130606040002016752810d0a",
    "heartbeat 0x13",
    [now({ ignition: true, battery_percent: 100, event: null })],
    "787805130167f6190d0a",
  ),
  field(
    [
      "https://www.traccar.org/forums/topic/differences-in-alarm-report-protocol-gt06-it-is-an-error/",
      "GT06 clone whose port state looks like an alarm",
    ],
    "78780a13400503020100741c3b0d0a",
    "heartbeat 0x13",
    [now({ ignition: false, battery_percent: 83, event: null })],
    "787805130074cddb0d0a",
  ),
  field(
    [
      "https://github.com/traccar/traccar/blob/master/src/test/java/org/traccar/protocol/Gt06FrameDecoderTest.java",
      "unnamed, whose length is two too few",
    ],
    "787808134606020002044dc5050d0a",
    "heartbeat 0x13",
    [now({ ignition: true, battery_percent: 100, event: null })],
    "78780513044d06f90d0a",
  ),
  field(
    [traccarTests, "GK310"],
    "78780b23c00122040001000818720d0a",
    "heartbeat 0x23",
    [now({ ignition: false })],
    "787805230008f29e0d0a",
  ),
  field(
    [traccarTests, "Jimi 4G"],
    "787817360005040002003201010018020192006a015f0324aeaf0d0a",
    "heartbeat 0x36",
    [now({ ignition: false, battery_percent: 95 })],
    "7878053603248fb00d0a",
  ),
  field(
    [traccarTests, "OBD6"],
    "7878131340b2fa000201040000000000011c00400e550d0a",
    "heartbeat 0x13",
    [
      now({
        ignition: false,
        battery_percent: 1,
        sensors: [{ kind: "temperature", sensor: "1", temperature_c: 28.4, humidity_percent: null }],
      }),
    ],
    "787805130040ba7c0d0a",
  ),
  field(
    [traccarTests, "battery tracker with a thermometer"],
    "7878151330802b00000642014f0008720000802b5ee4d4c90d0a",
    "heartbeat 0x13",
    [
      now({
        ignition: null,
        battery_percent: 6,
        sensors: [{ kind: "temperature", sensor: "1", temperature_c: 4.3, humidity_percent: null }],
      }),
    ],
    "787805135ee410b50d0a",
  ),
  field(
    [traccarTests, "Seeworld GL21L"],
    "78780ca346000106640c01123d5f5e0d0a",
    "heartbeat 0xa3",
    [now({ ignition: true, battery_percent: 100, external_voltage_v: 12 })],
    "787805a3123d3e7d0d0a",
  ),
  field(
    [traccarTests, "GK310 or JM-LL301, opened, with a cell only"],
    "787819a5012ed0000075df000000000098661502050413000019a12b0d0a",
    "cell and status 0xa5",
    [now({ ignition: true, battery_percent: 83, event: "tampering", fix: false })],
    "787805a5001929a30d0a",
  ),
  field(
    [traccarTests, "cell only, SOS"],
    "78781219028f0a29e10036f12003040102000875dc0d0a",
    "cell and status 0x19",
    [now({ ignition: false, battery_percent: 50, event: "sos", fix: false })],
    "787805190008074a0d0a",
  ),
  field(
    [traccarIssue(4213), "GT06N, cells"],
    "78783b18130205051729014e1407fa006d401707fa0087161707fa00463011000000000000000000000000000000000000000000000000ff000200046c1d0d0a",
    "cells 0x18",
    [noPlace("2019-02-05T05:23:41Z")],
    "78780518000497fa0d0a",
  ),
  field(
    [traccarTests, "example of the JM-VL03 manual, cells"],
    "78783b2810010d02020201cc00287d001f713e287d001f7231287d001e232d287d001f4018000000000000000000000000000000000000ff00020005b14b0d0a",
    "cells 0x28",
    [noPlace("2016-01-13T02:02:02Z")],
    "78780528000500dd0d0a",
  ),
  field(
    [traccarTests, "unnamed, cells and access points"],
    "7878412c11030b011c1f013604cb8a00b17754cb8a00bef357cb8a00b73f5fcb8900b0e25fcb8900b6655fcb8a00b74960cb8a00b178620701001801eb40393800bbbde10d0a",
    "cells 0x2c",
    [noPlace("2017-03-11T01:28:31Z")],
    "7878052c00bb3f490d0a",
  ),
  field(
    [traccarTests, "GK310, 4G cells"],
    "78786ca1110b0413093801cc01000025fc000000000618c10201000025fc000000000618c10201000025fc000000000618c10201000025fc000000000618c10201000025fc000000000618c10201000025fc000000000618c10201000025fc000000000618c10201ff0002000541d70d0a",
    "cells 0xa1",
    [noPlace("2017-11-04T19:09:56Z")],
    "787805a10005902f0d0a",
  ),
  field(
    [traccarTests, "Wanway S20, cells"],
    "787831241603060c231e000194620213ee00606a3413ee0060692e000000000000000000000000000000000000000000003a0cb70d0a",
    "cells 0x24",
    [noPlace("2022-03-06T12:35:30Z")],
    "78780524003a6c0a0d0a",
  ),
];

import { describe, expect, test } from "bun:test";
import { h02 } from "../../../src/intake/trackers/h02/family.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { h02Binary, h02Text, h02Sample as sample } from "../../support/trackers/h02-encoder.ts";

describe("h02: replies", () => {
  const replyTo = (message: string) => {
    const { reply } = h02.decode(bytesOf(message), null, receivedAt);
    return reply === null ? null : textOf(reply);
  };

  test("V1 and NBR get the time, under the maker's letters", () => {
    expect(replyTo(h02Text({ ...sample, maker: "TH" }))).toBe("*TH,4210051415,V4,V1,20261117120000#");
    expect(replyTo("*HQ,4109179024,NBR,103732,722,310,0,1,8106,32010,23,100217,FFFFFBFF,5#")).toBe(
      "*HQ,4109179024,V4,NBR,20261117120000#",
    );
  });

  test("heartbeats are sent back without their values", () => {
    expect(replyTo("*HQ,135790246811220,V0,80#")).toBe("*HQ,135790246811220,V0#");
    expect(replyTo("*HQ,135790246811220,HTBT,100#")).toBe("*HQ,135790246811220,HTBT#");
  });

  test("nothing else gets one, nor who does not say who it is", () => {
    for (const kind of ["V2", "V4", "V5", "V6", "V8", "V19"]) expect(replyTo(h02Text(sample, kind))).toBeNull();
    expect(replyTo(h02Text({ ...sample, id: "" }))).toBeNull();
    expect(h02.decode(h02Binary(sample), null, receivedAt).reply).toBeNull();
  });
});

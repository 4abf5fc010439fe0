import { expect, test } from "bun:test";
import { shownName, unlinked } from "../../src/portal/mail/free-text.ts";
import { confirmationLetter, letterOf } from "../../src/portal/mail/letters.ts";

test("a text that people chose is no link in a mail", () => {
  for (const [text, shown] of [
    ["Your parcel: http://evil.example/x?y=1", "Your parcel: http: //evil. example/x?y=1"],
    ["HTTPS://EVIL.example", "HTTPS: //EVIL. example"],
    ["see www.evil.example now", "see www. evil. example now"],
    ["write to me@evil.example", "write to me@evil. example"],
    ["evil。example evil．example", "evil。 example evil． example"],
    ["http://127.0.0.1/x", "http: //127.0.0.1/x"],
    // What is none stays as it is.
    ["Sprinter 3.5 t, 12.03.2026, 1.234,5 km", "Sprinter 3.5 t, 12.03.2026, 1.234,5 km"],
    ["St. Gallen: Van No. 3 (AC ME 1)", "St. Gallen: Van No. 3 (AC ME 1)"],
  ] as const) {
    expect(unlinked(text)).toBe(shown);
  }
});

test("a name in a subject is one line of some length", () => {
  expect(shownName("Acme\r\nBcc: x")).toBe("Acme Bcc: x");
  expect(shownName("a".repeat(200))).toBe(`${"a".repeat(59)}…`);
  expect(shownName("Acme")).toBe("Acme");
});

test("an invitation begins with our own words, and holds one link: ours", () => {
  const content = {
    purpose: "invitation",
    isConfirmed: false,
    name: "Win at http://evil.example",
    accountName: "www.evil.example",
    invitedBy: "evil.example/prize",
    address: "https://fleet.example/portal/link#TOKEN",
    expiresAt: 0,
    timeZone: "UTC",
  } as const;
  for (const language of ["en", "es", "pt", "de"] as const) {
    const { subject, text, html } = letterOf(content, language);
    expect(subject).toStartWith("Odograph: ");
    for (const body of [subject, text, html]) expect(body).not.toMatch(/evil\.example|http:\/\//);
    expect(text.match(/:\/\/\S+/g)).toEqual(["://fleet.example/portal/link#TOKEN"]);
    const confirmation = confirmationLetter(content, language);
    const reset = letterOf({ ...content, purpose: "reset" }, language);
    for (const body of [...Object.values(confirmation), ...Object.values(reset)]) expect(body).not.toMatch(/evil|Win/);
    expect(confirmation.text).toContain(content.address);
  }
});

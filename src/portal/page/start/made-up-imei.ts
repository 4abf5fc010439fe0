/** For what has none that it may know: no device that is sold begins with 00. */
export function madeUpImei(): string {
  const digits = [0, 0, ...Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte % 10)];
  const sum = digits.reduce((total, digit, place) => {
    const value = place % 2 === 0 ? digit : digit * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return [...digits, (10 - (sum % 10)) % 10].join("");
}

export function openApiBody(): string {
  return "{}";
}

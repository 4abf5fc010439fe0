/** Migrations are imported as text, so that they are part of the program wherever it runs. */
declare module "*.sql" {
  const text: string;
  export default text;
}

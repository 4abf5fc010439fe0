/** Styles and pictures of pages are imported as text, so that they are part of the program wherever it runs. */
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}

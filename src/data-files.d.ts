/** Data that is read as it is: the import is its path, on disk or within the program. */
declare module "*.dat" {
  const path: string;
  export default path;
}

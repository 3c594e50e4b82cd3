/** The bundler gives the address of a picture or, `with { type: "file" }`, of a style sheet. */
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.css" {
  const url: string;
  export default url;
}

/** Put in by the bundler: true under `bun dev`. */
declare const RELOAD_PAGES: boolean;

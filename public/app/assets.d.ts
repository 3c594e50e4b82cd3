/** The bundler resolves an image, or a style sheet imported `with { type: "file" }`, to its address. */
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.css" {
  const url: string;
  export default url;
}

/** Defined by the bundler: true under `bun dev`. */
declare const RELOAD_PAGES: boolean;

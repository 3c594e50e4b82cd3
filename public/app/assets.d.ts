/** The bundler gives the address of a picture. */
declare module "*.svg" {
  const url: string;
  export default url;
}

/** Put in by the bundler: true under `bun dev`. */
declare const RELOAD_PAGES: boolean;

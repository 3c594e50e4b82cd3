import Bowser from "bowser";

/** The product's name at the start of a `User-Agent`. */
const PRODUCT = /^[^\s/]+/;

/**
 * Reads the names of the browser or other client, and of its system, from a `User-Agent`.
 * Unrecognized names are absent.
 */
export function readBrowserName(userAgent: string): { browser?: string; system?: string } {
  if (userAgent === "") return {};
  const { browser, os } = Bowser.parse(userAgent);
  // Otherwise the text would be "Samsung Internet for Android on Android".
  const name = browser.name?.replace(/ for Android$/, "");
  return { browser: name || PRODUCT.exec(userAgent)?.[0], system: os.name || undefined };
}

import Bowser from "bowser";

/** The names of a browser and its system, from a `User-Agent`: what is not known is missing. */
export function readBrowserName(userAgent: string): { browser?: string; system?: string } {
  if (userAgent === "") return {};
  const { browser, os } = Bowser.parse(userAgent);
  // "Samsung Internet for Android on Android" would say it twice.
  const name = browser.name?.replace(/ for Android$/, "");
  return { browser: name || undefined, system: os.name || undefined };
}

import { expect, test } from "bun:test";
import { readBrowserName } from "../../public/app/profile/browser-name.ts";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)";

test.each([
  [`${ANDROID} ${CHROME} Mobile Safari/537.36`, "Chrome", "Android"],
  [`${WINDOWS} ${CHROME} Safari/537.36`, "Chrome", "Windows"],
  [`${WINDOWS} ${CHROME} Safari/537.36 Edg/142.0.0.0`, "Microsoft Edge", "Windows"],
  [`${ANDROID} ${CHROME} Mobile Safari/537.36 EdgA/142.0.0.0`, "Microsoft Edge", "Android"],
  [
    `${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/605.1.15`,
    "Microsoft Edge",
    "iOS",
  ],
  [`${IPHONE} ${WEBKIT} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome", "iOS"],
  [`${IPHONE} ${WEBKIT} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, "Firefox", "iOS"],
  [`${IPHONE} ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari", "iOS"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [`${WINDOWS} ${CHROME} Safari/537.36 OPR/124.0.0.0`, "Opera", "Windows"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, "Chrome", "Chrome OS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox", "Android"],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${WEBKIT} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`,
    "Chrome",
    "iOS",
  ],
  ["curl/8.5.0", "curl", undefined],
  ["Bun/1.4.5", "Bun", undefined],
  ["", undefined, undefined],
])("%s is %s on %s", (userAgent, browser, system) => {
  expect(readBrowserName(userAgent)).toEqual({ browser, system });
});

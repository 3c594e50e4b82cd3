import { testEngine } from "./suite.ts";
import { WEBKIT_DRIVER, WebKitView } from "./webkit.ts";

testEngine({
  name: "WebKit",
  packages: {
    "webkit2gtk-driver": WEBKIT_DRIVER,
    xvfb: "/usr/bin/Xvfb",
    xdotool: "/usr/bin/xdotool",
    imagemagick: "/usr/bin/import",
    "python3-gi": "/usr/lib/python3/dist-packages/gi/__init__.py",
    "gir1.2-webkit2-4.1": "/usr/share/doc/gir1.2-webkit2-4.1",
    "fonts-dejavu-core": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
  },
  open: (options) => WebKitView.open(options),
});

import {
  File,
  FileArchive,
  FileAudio,
  FileText,
  FileVideoCamera,
  ImageOff,
  type IconNode,
} from "lucide";
import { Icon } from "../../parts/icon.tsx";

const ICONS: [RegExp, IconNode][] = [
  [/^video\//, FileVideoCamera],
  [/^audio\//, FileAudio],
  [/zip|compressed|x-tar|x-7z|gzip/, FileArchive],
  [/^text\/|pdf|document|sheet|presentation|json|xml/, FileText],
];

/** The icon of a file's type. */
export function FileIcon({ mime }: { mime: string }) {
  return <Icon of={ICONS.find(([type]) => type.test(mime))?.[1] ?? File} />;
}

/** An image that did not load. */
export function BrokenIcon() {
  return <Icon of={ImageOff} />;
}

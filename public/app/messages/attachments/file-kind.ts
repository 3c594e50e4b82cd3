/** Types that browsers play. A file's type is what its sender says: a player only ever plays it. */
const PLAYED =
  /^(audio|video)\/(?:mpeg|mp4|ogg|webm|wav|x-wav|wave|aac|flac|x-flac|x-m4a|quicktime|opus)$/;

/** How a file is shown: its place is reserved before the code that shows it is loaded. */
export function kindOf(mime: string): "audio" | "video" | "file" {
  const kind = PLAYED.exec(mime.split(";")[0]?.trim().toLowerCase() ?? "")?.[1];
  return kind === "audio" || kind === "video" ? kind : "file";
}

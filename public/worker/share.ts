/**
 * What another app shares to Snug (Web Share Target, W3C): it comes as a form, is kept until a room
 * is chosen for it, and the page that asks for the room is opened.
 */
export const SHARED = "shared";

export function onShare(request: Request): Promise<Response> | null {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/share") return null;
  return keep(request);
}

async function keep(request: Request): Promise<Response> {
  const form = await request.formData();
  const words = ["title", "text", "url"]
    .map((name) => String(form.get(name) ?? "").trim())
    .filter((word, i, all) => word !== "" && all.indexOf(word) === i);
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  await cache.put("/share/text", new Response(words.join("\n")));
  const files = form.getAll("files").filter((part) => part instanceof File);
  for (const [i, file] of files.entries()) {
    const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
    await cache.put(`/share/files/${i}`, new Response(file, { headers }));
  }
  return Response.redirect("/share", 303);
}

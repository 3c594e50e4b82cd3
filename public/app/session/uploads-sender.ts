/** What sends files: it is loaded with the first of them. */
export { sendFile } from "../connection/upload.ts";
export { Uploads } from "../state/uploads.ts";

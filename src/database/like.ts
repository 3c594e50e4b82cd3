/** Patterns for LIKE and ILIKE that match text literally. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&");
export const likePrefix = (text: string) => `${escapeLike(text)}%`;
export const likeSubstring = (text: string) => `%${escapeLike(text)}%`;

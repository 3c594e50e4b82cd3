/**
 * The request header with the id of the user for whom a request is, which is refused if it comes with the
 * credential of another one: a page may be open while someone else signs in beside it, and the browser then sends
 * their cookie. Without it a request is for the user of the credential.
 */
export const USER_HEADER = "snug-user";

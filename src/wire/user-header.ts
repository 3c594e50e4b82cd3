/**
 * The request header with the id of the user whom the page is for. The service refuses a request
 * whose credential belongs to another user: someone else may have signed in in another tab, and the
 * browser then sends their cookie. Without the header, a request is for the user of the credential.
 */
export const USER_HEADER = "snug-user";

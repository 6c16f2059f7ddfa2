/** Addresses of invites. They are not in the contract, whose schemas the browser would load with them. */

/** Path of the invite poster, a JPEG. The query `uid` is the member whose link the QR code holds. */
export const INVITE_POSTER_PATH = '/api/invite/poster';

/** Returns the path that a member sends to friends (C-90). */
export const invitePath = (uid: number): string => `/index?invite=${uid}`;

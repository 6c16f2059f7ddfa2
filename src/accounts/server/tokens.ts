import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, base64url: 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Names a session in bodies and links; proves nothing. 22 characters. */
export const newSid = () => randomBytes(16).toString('base64url');

/** What we keep of a token: useless to whoever reads the database. Null when it cannot be one of ours. */
export const hashToken = (token: string) => (TOKEN.test(token) ? createHash('sha256').update(token).digest() : null);

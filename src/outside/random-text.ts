import { randomInt } from 'node:crypto';

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns n characters as vendors issue them: letters and digits. */
export const letters = (n: number) => Array.from({ length: n }, () => ALPHANUMERIC[randomInt(62)]).join('');

export const digits = (n: number) => Array.from({ length: n }, () => String(randomInt(10))).join('');

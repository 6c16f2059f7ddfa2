import { fileURLToPath } from 'node:url';

/** Path of the program that reads and draws untrusted files. It runs as a child process and is never imported. */
export const CHILD_PROGRAM = fileURLToPath(new URL('../render-child.ts', import.meta.url));

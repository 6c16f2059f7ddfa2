import { fileURLToPath } from 'node:url';

/** Path of the program that reads and draws strangers' files. It is started as a child process, never imported. */
export const CHILD_PROGRAM = fileURLToPath(new URL('../render-child.ts', import.meta.url));

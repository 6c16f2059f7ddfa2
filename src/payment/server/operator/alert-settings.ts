import { z } from 'zod';
import { readSecretFiles, type Given } from '../../../platform/environment.ts';
import { isLoopbackHost } from '../../../platform/loopback.ts';

/** The environment variables of the address that is notified of open cases. */
export const alertKeys = { NOTIFY_URL: z.string().trim().optional(), NOTIFY_URL_FILE: z.string().trim().optional() };

/**
 * Returns the address of the receiver; null when none is given. It is a secret: the addresses of bots hold their key. http
 * is for a receiver on this machine.
 */
export function readAlertUrl(environment: Given): { alertUrl: string | null; problems: string[] } {
  const { given, problems } = readSecretFiles(environment, ['NOTIFY_URL']);
  const text = given['NOTIFY_URL'];
  if (!text) return { alertUrl: null, problems };
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!url || !isSafe || url.username || url.password || url.hash)
    problems.push('NOTIFY_URL: must be an https address without user name and #; http only for this machine');
  return { alertUrl: url && problems.length === 0 ? url.href : null, problems };
}

import { readFileSync, statSync } from 'node:fs';
import type { Log } from '../../../platform/log.ts';
import { lazily } from '../../../platform/lazily.ts';
import { parseSynonyms, setSynonyms } from '../../synonyms.ts';

const builtIn = lazily(() =>
  ['synonyms.txt', 'phrases.txt']
    .map((name) => readFileSync(new URL(`../../word-lists/${name}`, import.meta.url), 'utf8'))
    .join('\n'),
);
const builtInSynonyms = lazily(() => parseSynonyms(builtIn()));
const POLL_MS = 5_000;

// Set with this module, and read when the first query is tokenized.
setSynonyms(builtInSynonyms);

/**
 * Adds the operator's file to the built-in synonyms, and reads it again within seconds of a change. Throws when the file cannot be read
 * or has an invalid line; a later change with an invalid line is logged and ignored. `stop` ends the polling and restores the built-in
 * synonyms.
 */
export function watchSynonymsFile(path: string, log: Log, pollMs = POLL_MS): { stop(): void } {
  let stamp = '';
  const read = () => {
    const { mtimeMs, size } = statSync(path);
    const now = `${mtimeMs}/${size}`;
    if (now === stamp) return false;
    stamp = now;
    const synonyms = parseSynonyms(`${builtIn()}\n${readFileSync(path, 'utf8')}`);
    setSynonyms(() => synonyms);
    return true;
  };
  read();
  const timer = setInterval(() => {
    try {
      if (read()) log.info({ path }, 'synonyms read again');
    } catch (error) {
      log.warn({ path, error }, 'synonyms left as they were');
    }
  }, pollMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      setSynonyms(builtInSynonyms);
    },
  };
}

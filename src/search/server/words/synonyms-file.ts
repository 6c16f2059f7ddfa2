import { readFileSync, statSync } from 'node:fs';
import type { Log } from '../../../platform/log.ts';
import { parseSynonyms, setSynonyms } from '../../synonyms.ts';

const OURS = readFileSync(new URL('../../synonyms.txt', import.meta.url), 'utf8');
const LOOK_MS = 5_000;

// Known from the first query on, wherever words are cut.
setSynonyms(parseSynonyms(OURS));

/**
 * Adds the operator's file to our groups, and reads it again within seconds of a change. Throws when it cannot be read
 * or has a line that is no group; a later change with such a line is logged and leaves the table as it was.
 * `stop` ends the looking and leaves our groups alone.
 */
export function watchSynonymsFile(path: string, log: Log, lookMs = LOOK_MS): { stop(): void } {
  let stamp = '';
  const read = () => {
    const { mtimeMs, size } = statSync(path);
    const now = `${mtimeMs}/${size}`;
    if (now === stamp) return false;
    stamp = now;
    setSynonyms(parseSynonyms(`${OURS}\n${readFileSync(path, 'utf8')}`));
    return true;
  };
  read();
  const timer = setInterval(() => {
    try {
      if (read()) log.info({ path }, 'synonyms read again');
    } catch (error) {
      log.warn({ path, error }, 'synonyms left as they were');
    }
  }, lookMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      setSynonyms(parseSynonyms(OURS));
    },
  };
}

const BAR = 24;
const PLAIN_EVERY_MS = 10_000;

export type Progress = { update(done: number, total: number): void; end(): void };

/**
 * A progress bar on stderr: redrawn in place on a terminal, a line every ten seconds elsewhere. Silent for work that
 * ends within two seconds.
 */
export function createProgress(label: string): Progress {
  const startedAt = Date.now();
  const isTerminal = process.stderr.isTTY;
  let drawnAt = 0;
  let isDrawn = false;
  return {
    update(done, total) {
      const now = Date.now();
      if (now - startedAt < 2_000 || now - drawnAt < (isTerminal ? 100 : PLAIN_EVERY_MS)) return;
      drawnAt = now;
      isDrawn = true;
      const share = total > 0 ? done / total : 0;
      const rest = share > 0.02 ? ` · ${Math.ceil(((now - startedAt) / share - (now - startedAt)) / 1000)} s left` : '';
      if (!isTerminal) return void process.stderr.write(`${label}: ${done} of ${total}${rest}\n`);
      const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
      process.stderr.write(`\r\x1b[2K${label} ${bar} ${done}/${total}${rest}`);
    },
    end() {
      if (isDrawn && isTerminal) process.stderr.write('\r\x1b[2K');
    },
  };
}

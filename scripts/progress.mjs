const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const QUIET_MS = 2000;
const LINE_EVERY_MS = 10_000;
/** The steps that run, as steps may run beside each other. The spinner shows the first. @type {symbol[]} */
const running = [];

/** A failure that is the user's to act on: its message is printed alone, without a stack. */
export class StepFailed extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs `work` and shows that it runs: a spinner with the seconds on a terminal, a line every ten seconds elsewhere,
 * and one closing line with the time.
 * @template T
 * @param {string} title what is being done, as the start of a line: `Installing packages`
 * @param {(note: (text: string) => void) => Promise<T>} work gets a function that shows its latest detail
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const isTerminal = Boolean(process.stderr.isTTY);
  let detail = '';
  let frame = 0;
  let toldAt = startedAt - LINE_EVERY_MS + QUIET_MS;
  const own = Symbol(title);
  running.push(own);
  const tick = () => {
    if (isTerminal && running[0] === own && Date.now() - startedAt > QUIET_MS) {
      const line = `${FRAMES[frame++ % FRAMES.length]} ${title} … ${seconds()} ${detail}`;
      process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    } else if (!isTerminal && Date.now() - toldAt >= LINE_EVERY_MS) {
      toldAt = Date.now();
      process.stderr.write(`${title} … ${seconds()}\n`);
    }
  };
  const timer = setInterval(tick, isTerminal ? 100 : 500);
  const end = (mark) => {
    clearInterval(timer);
    running.splice(running.indexOf(own), 1);
    process.stderr.write(`${isTerminal ? '\r\x1b[K' : ''}${mark} ${title} (${elapsed(Date.now() - startedAt)})\n`);
  };
  try {
    const result = await work((text) => (detail = text));
    end('✓');
    return result;
  } catch (error) {
    end('✗');
    throw error;
  }
}

/** @param {number} ms @returns {string} `0.4 s`, `12 s`, `3 min 5 s` */
export function elapsed(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Prints a failure the way its reader needs it and ends the process. @param {unknown} error @returns {never} */
export function endWith(error) {
  if (error instanceof StepFailed) {
    process.stderr.write(`\n${error.message}\n`);
    process.exit(error.exitCode);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(70);
}

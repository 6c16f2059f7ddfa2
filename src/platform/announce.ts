import type { Config } from './config.ts';

/** Writes one line on stdout for the person who started the site; the log goes to stderr. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The address to open in a browser. */
export function announce(config: Config, port: number): void {
  say('');
  say(`  ${config.site.name} is running:  ${config.publicUrl ?? `http://localhost:${port}`}`);
  say('');
}

import type { Config } from './config.ts';

/** One line for whoever started the site, on stdout; the log is on stderr. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The address to open. */
export function announce(config: Config, port: number): void {
  say('');
  say(`  ${config.site.name} is running:  ${config.publicUrl ?? `http://localhost:${port}`}`);
  say('');
}

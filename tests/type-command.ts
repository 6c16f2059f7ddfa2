import { Command } from 'commander';
import { vi } from 'vitest';
import { runCommandLine } from '../src/platform/command-line.ts';

/** Types a command, as an operator does, into a program that `define` has given its commands; what it said and its exit code. */
export async function typeCommand(
  define: (program: Command) => void,
  argv: string[],
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true)),
    vi.spyOn(console, 'log').mockImplementation((text) => void (said.out += `${String(text)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void (said.err += `${String(text)}\n`)),
  ];
  try {
    const program = new Command('ceku');
    define(program);
    return { code: await runCommandLine(program, argv), ...said };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

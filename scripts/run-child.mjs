import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** With npm in between, Ctrl-C of a terminal arrives twice (from the terminal and from npm): the second is dropped. */
const ECHO_MS = 1000;
/** A little longer than the site takes to close: DRAIN_MS and CLOSE_MS of main.ts. */
const GROUP_PATIENCE_MS = 26_000;
const LAST_WORDS_MS = 1000;

/**
 * Runs a program in the foreground and resolves with the exit code to end with. The program has a process group of its
 * own: it gets each signal once, from us, and what it leaves in its group is ended with it.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, ipc?: boolean, stopBy?: NodeJS.Signals,
 *   onOutput?: (text: Buffer) => void }} options `ipc`: a channel by which the program notices our death (see
 *   follow-parent.mjs); `stopBy`: the signal it is stopped by, whatever we got; `onOutput` takes what it prints, which
 *   else goes to our own output
 * @returns {Promise<{ code: number, interrupted: boolean }>}
 */
export function runInForeground(command, args, options) {
  return new Promise((resolve, reject) => {
    const out = options.onOutput ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', out, out, ...(options.ipc ? ['ipc'] : [])],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => options.onOutput?.(text));
    const closed = once(child, 'close').catch(() => undefined);
    let signalledAt = 0;
    const forward = (signal) => {
      if (Date.now() - signalledAt < ECHO_MS) return;
      signalledAt = Date.now();
      child.kill(options.stopBy ?? (signal === 'SIGHUP' ? 'SIGTERM' : signal));
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const unwatch = watchNpm(() => forward('SIGTERM'));
    const done = () => {
      unwatch();
      for (const signal of signals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('exit', async (code, signal) => {
      // `node --watch` (npm run dev) exits before the site that it runs has closed its database.
      if (options.ipc && signalledAt > 0) await untilGroupEnds(child.pid);
      done();
      endGroup(child.pid);
      // Reads the remaining output; a process that left the group may hold the pipe open.
      if (options.onOutput) await Promise.race([closed, sleep(LAST_WORDS_MS)]);
      resolve({ code: code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15), interrupted: signalledAt > 0 });
    });
  });
}

/**
 * Runs a program and collects what it prints.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} options
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program could not be started
 */
export function runQuietly(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (text) => {
      output += text;
      options.onLine?.(text.trimEnd().split('\n').at(-1) ?? '');
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    // On an interrupt the child's process group is ended first, then this process.
    const stop = (signal) => {
      endGroup(child.pid);
      process.exit(128 + constants.signals[signal]);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.once(signal, stop);
    const done = (code) => {
      for (const signal of signals) process.off(signal, stop);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      done(127);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

/** @param {number | undefined} pid the leader of a group that was told to stop: how long it may take, main.ts says */
async function untilGroupEnds(pid) {
  for (let left = GROUP_PATIENCE_MS; pid && isAlive(-pid) && left > 0; left -= 100) await sleep(100);
}

/** @param {number | undefined} pid the leader of the group, which may be gone already */
function endGroup(pid) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left in the group, the usual case.
  }
}

/**
 * A killed npm takes the shell between us with it but tells us nothing (and a shell tells us nothing of a signal).
 * @param {() => void} onGone called once when the npm that runs us is gone
 * @returns {() => void} stops watching
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
  return () => clearInterval(timer);
}

function isShell(pid) {
  return /sh$/.test(ask(pid, 'comm'));
}

function parentOf(pid) {
  return Number(ask(pid, 'ppid')) || pid;
}

/** One column of `ps`, which a small Debian does not have: there /proc answers. */
function ask(pid, column) {
  try {
    const [, comm = '', ppid = ''] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return column === 'comm' ? comm : ppid;
  } catch {
    return (spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '').trim();
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startChildProgram } from '../../../platform/processes.ts';
import type { OutsideSettings } from './provider-settings.ts';
import { ListenError } from '../../../platform/http/bind.ts';
import type { Log } from '../../../platform/log.ts';
import { isLoopbackHost } from '../../../platform/loopback.ts';

/** Started as a program of its own and reached over HTTP, like the companies it plays: nothing is imported from it. */
const PROGRAM = fileURLToPath(new URL('../../../outside/main.ts', import.meta.url));
const HIGHEST_PORT = 65_535;

const app = { appId: z.string(), appSecret: z.string(), apiUrl: z.string() };
/** Vendor accounts for logging in and for messages. Other slices read theirs by themselves. */
export const outsideProviders = z.object({
  officialAccount: z.object({ ...app, pushToken: z.string(), aesKey: z.string() }),
  miniProgram: z.object({ ...app, loginPage: z.string() }),
  sms: z.object({
    carrier: z.enum(['aliyun', 'tencent']),
    keyId: z.string(),
    keySecret: z.string(),
    signName: z.string(),
    templateId: z.string(),
    noticeTemplateId: z.string(),
    appId: z.string(),
    region: z.string(),
    apiUrl: z.string(),
  }),
});
const opened = z.object({
  url: z.string(),
  port: z.number(),
  accounts: z.looseObject({}),
});
const refused = z.object({ option: z.enum(['host', 'port']), error: z.string() });

/** The pretend outside world as the site knows it. */
export type OutsideProcess = {
  /** Vendor accounts of the pretend outside world, with keys that are new at each start. Each slice reads those of its own vendors. */
  accounts: object;
  /** The phone's page, for a browser on this machine. Null for visitors of any other host: the phone listens on loopback only. */
  phoneUrl(hostname: string): string | null;
  /** Gives the pretend outside world the address of the site, for its pushes. Called once the site listens. */
  introduce(siteUrl: string, log: Log): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts the pretend outside world in a process that ends with this one, killed or not. Throws ListenError when the
 * operator chose a port that is taken, or a host that is not this machine's.
 */
export async function startOutside(options: OutsideSettings, sitePort: number): Promise<OutsideProcess> {
  const next = sitePort === 0 || sitePort === HIGHEST_PORT ? 0 : sitePort + 1;
  const words = ['--host', options.host, '--port', String(options.port ?? next)];
  if (options.port === null) words.push('--any-port');
  const program = await startChildProgram('the pretend outside world', PROGRAM, words);
  const failure = refused.safeParse(program.firstMessage);
  if (failure.success) throw new ListenError(`OUTSIDE_${failure.data.option.toUpperCase()}: ${failure.data.error}`);
  const { url, accounts } = opened.parse(program.firstMessage);
  return {
    accounts,
    phoneUrl: (hostname) => (isLoopbackHost(hostname) ? `${url}/phone` : null),
    async introduce(siteUrl, log) {
      const answer = await fetch(`${url}/control/site`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: siteUrl }),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null);
      if (!answer?.ok) log.warn({ status: answer?.status }, 'the pretend outside world could not check our server URL');
    },
    close: () => program.close(),
  };
}

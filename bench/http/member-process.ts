import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Order of the parent: at most `count` calls of `url`, none after `forMs`, with `pauseMs` between two calls. */
export type MemberPlan = {
  url: string;
  headers: Record<string, string>;
  count: number;
  pauseMs: number;
  forMs: number;
};
/** Milliseconds of each call, and the number of answers with another code than 0. */
export type MemberTimes = { times: number[]; refused: number };

/** A member's calls in a separate process, so that the load generator does not delay them. */
process.once('message', (plan: MemberPlan) => void run(plan));

async function run({ url, headers, count, pauseMs, forMs }: MemberPlan): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let refused = 0;
  const until = performance.now() + forMs;
  while (times.length < count && performance.now() < until) {
    const started = performance.now();
    const code = await call(url, headers, agent);
    times.push(performance.now() - started);
    if (code !== 0) refused += 1;
    await wait(pauseMs);
  }
  process.send?.({ times, refused } satisfies MemberTimes);
  process.disconnect();
}

/** Returns the code of the answer's envelope, -1 when there was none. */
function call(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = { ...headers, 'content-type': 'application/json', 'content-length': '2' };
    const asked = request(url, { method: 'POST', agent, headers: sent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(Number(/"code":(\d+)/.exec(text)?.[1] ?? -1)));
    });
    asked.on('error', () => resolve(-1));
    asked.end('{}');
  });
}

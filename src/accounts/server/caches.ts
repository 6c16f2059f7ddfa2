import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../protocol/durations.ts';
import { createMemo } from '../../platform/memo.ts';

/** Creates the caches of the accounts, in the memory of this process. */
export const createAccountCaches = () => ({
  /** Each alarm about SMS or about calls to WeChat is logged at most once in ten minutes. */
  smsAlarms: createMemo<void>(600_000, 10),
  vendorAlarms: createMemo<void>(600_000, 20),
  /** User ids by the hash of a session's secret, for sessions found valid in the last ten minutes (recent-sessions.ts). */
  recentSessions: new LRUCache<string, number>({ max: 20_000, ttl: 600_000 }),
  /** Two requests for one scene at the same moment ask WeChat once. The picture is stored with the scene. */
  scenePictures: createMemo<Buffer>(10_000, 200),
  /** The content of the code that leads to the official account. */
  followCode: createMemo<string>(DAY_MS, 1),
  /** The code that opens the mini program. */
  miniHomePicture: createMemo<Buffer>(DAY_MS, 1),
});

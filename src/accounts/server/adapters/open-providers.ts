import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/client.ts';
import { createOutbound } from '../../../platform/http/outbound.ts';
import type { Log } from '../../../platform/log.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { AccountProviders } from '../../ports.ts';
import { createAliyunSms } from './aliyun-sms.ts';
import { createTencentSms } from './tencent-sms.ts';
import { createMiniProgram } from './wechat-mini-program.ts';
import { createOfficialAccount } from './wechat-official-account.ts';

/** Returns the adapters that the settings configure. `timeoutMs`: how long a provider may take (5 s unless given). */
export function openProviders(
  settings: ProviderSettings,
  options: { db: Db; clock: Clock; log: Log; timeoutMs?: number },
): AccountProviders {
  const { officialAccount, miniProgram, sms } = settings;
  const parts = { ...options, outbound: createOutbound(options.log, options.timeoutMs) };
  const createSms = sms?.carrier === 'tencent' ? createTencentSms : createAliyunSms;
  return {
    sms: sms && createSms(sms, parts),
    officialAccount: officialAccount && createOfficialAccount(officialAccount, parts),
    miniProgram: miniProgram && createMiniProgram(miniProgram, parts),
  };
}

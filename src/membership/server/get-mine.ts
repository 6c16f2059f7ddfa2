import { getProfile } from '../../accounts/server/users.ts';
import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { sessionInvalid } from '../../protocol/envelope.ts';
import type { Member } from '../contract.ts';
import { daysLeft, isChartTier, quotasOf } from '../rules.ts';
import { findStanding } from './rights.ts';

const USER_TYPES = { 0: 1, 1: 2, 2: 3 } as const;

/** Returns the user session object of §3 as C-60 fills it. */
export async function getMine(ctx: Ctx): Promise<Member> {
  const { userId, sid, token = '' } = requireSession(ctx);
  const now = ctx.clock.now();
  const [profile, standing] = await Promise.all([getProfile(ctx, userId), findStanding(ctx)]);
  if (!standing) throw sessionInvalid();
  const { today, month, reads } = quotasOf(standing);
  return {
    id: userId,
    uid: userId,
    user_id: userId,
    sid,
    token,
    openid: profile.openid,
    name: profile.nickname,
    nickname: profile.nickname,
    avatar: profile.avatar,
    phone: profile.phone,
    has_password: profile.hasPassword ? 1 : 0,
    is_vip: standing.tier,
    user_type: USER_TYPES[standing.tier],
    unlock_chart: isChartTier(standing.tier) ? 1 : 0,
    unlock_end_time: seconds(standing.standardEndAt),
    unlock_end_time_text: text(standing.standardEndAt),
    advanced_end_time: seconds(standing.advancedEndAt),
    advanced_end_time_text: text(standing.advancedEndAt),
    vip_last_day: daysLeft(standing, now),
    vCount: today.left,
    today_left: today.left,
    today_used: today.used,
    month_left: month.left,
    month_used: month.used,
    read_month_left: reads.left,
    read_month_used: reads.used,
    balance: standing.balance,
    roles: [],
  };
}

const seconds = (at: Date | null) => (at === null ? 0 : Math.floor(at.getTime() / 1000));
const text = (at: Date | null) => (at === null ? '' : dayText(at));

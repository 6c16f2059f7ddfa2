import { flag, ownSid } from '../protocol/fields.ts';
import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { pagedFields, pageNumber } from '../protocol/paging.ts';

/** Invitees on a page of the list (C-89). */
export const INVITE_PAGE_SIZE = 10;

const inviteItem = z.object({
  id: z.number().int().describe('好友的用户 id'),
  nickname: z.string().describe('昵称'),
  avatar: z.string().describe('头像地址；没有时为空字符串'),
  headimgurl: z.string().describe('与 avatar 相同'),
  invite_text: z.string().describe('注册时间的文字（北京时间），如 2026-11-21 注册'),
  create_time: z.number().int().describe('注册时间，Unix 秒；0 表示刚刚'),
  coins: z.number().int().describe('因这位好友得到的喵币；尚未得到，或因奖励上限而没有时为 0'),
  is_unrewarded: flag.describe('好友已绑定手机，但因奖励上限没有喵币时为 1，以后也不补发'),
});
export type InviteItem = z.infer<typeof inviteItem>;

/** Older clients send `time`, `theme_id` and `rank_type`, which are ignored (C-89). */
export const listInvites = endpoint({
  method: 'POST',
  path: '/api/invite/myInviteList',
  summary: '通过当前用户的链接注册的好友，最近注册的在前，每页 10 位。',
  auth: 'session',
  isInfor: true,
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({ sid: ownSid, page: pageNumber }),
  output: z.object({
    invite_users: z.array(inviteItem).describe('好友'),
    reward_coins: z.number().int().describe('每邀请一位好友注册并绑定手机可得的喵币；0 为没有奖励'),
    earned_coins: z.number().int().describe('邀请累计得到的喵币，含已注销的好友'),
    ...pagedFields,
  }),
});

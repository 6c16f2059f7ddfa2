import type { Routes } from '../../context.ts';
import { INVITE_POSTER_PATH } from '../addresses.ts';
import { listInvites as listEndpoint } from '../contract.ts';
import { listInvites } from './invites.ts';
import { serveInvitePoster } from './serve-invite-poster.ts';

/** Posters a minute for one address; the picture of one member is drawn once an hour. */
const POSTERS_PER_MINUTE = 60;

export function inviteRoutes(routes: Routes): void {
  routes.on(listEndpoint, listInvites);
  routes.raw(
    ['GET'],
    INVITE_POSTER_PATH,
    { perIp: POSTERS_PER_MINUTE, summary: '邀请海报（JPEG），uid 为邀请人的用户 id。' },
    serveInvitePoster,
  );
}

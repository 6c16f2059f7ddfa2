import { FOLLOW_QR_PATH, MINI_HOME_QR_PATH } from '../addresses.ts';
import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import * as scans from '../contract-scans.ts';
import { bindPhone } from './phones/bind-phone.ts';
import { cancelAccount } from './privacy/delete-account.ts';
import { checkScene } from './scans/scenes.ts';
import { endSession, listSessions, logout } from './sessions.ts';
import { exportAccount, getExportStatus, serveExport } from './privacy/export-account.ts';
import { listLoginMethods, loginByPhone, loginByPhoneCode, loginByUsername } from './login.ts';
import { miniLoginCancel, miniLoginConfirm, miniLoginScanned, startMiniLogin } from './scans/mini-login.ts';
import type { PersonalData } from './personal-data.ts';
import { resetPassword, verifyUserPhone } from './reset-password.ts';
import { sendCode } from './phones/sms-codes.ts';
import { serveOffiaccount, startOffiaccountLogin } from './scans/offiaccount-login.ts';
import { serveFollowQr, serveMiniHomeQr, serveMiniQr, serveOffiaccountQr } from './scans/serve-scene-qr.ts';
import { updateInfo } from './users.ts';

/**
 * Requests a minute from one address. An office behind one address shows many QR codes; WeChat pushes from few
 * addresses.
 */
const QR_CODES_PER_MINUTE = 300;
const EXPORTS_PER_MINUTE = 30;
const PUSHES_PER_MINUTE = 1_500;

/**
 * Registers the endpoints of this slice. `parts` is what every slice keeps about people, and what may stand against
 * deleting an account.
 */
export const accountsRoutes = (parts: PersonalData[]) => (routes: Routes) => {
  const picture = (path: `/api/${string}`, summary: string, serve: Parameters<Routes['raw']>[3]) =>
    routes.raw(['GET'], path, { perIp: QR_CODES_PER_MINUTE, summary }, serve);
  routes.on(contract.usernameLogin, (ctx, input) => loginByUsername(ctx, parts, input));
  routes.on(contract.loginMethods, listLoginMethods);
  routes.on(scans.getMiniLoginScene, startMiniLogin);
  routes.on(scans.offiaccountLogin, startOffiaccountLogin);
  routes.on(scans.miniLoginChecking, (ctx, input) => checkScene(ctx, parts, input));
  routes.on(scans.miniLoginScanned, miniLoginScanned);
  routes.on(scans.miniLoginConfirm, miniLoginConfirm);
  routes.on(scans.miniLoginCancel, miniLoginCancel);
  routes.on(contract.sendPhoneCode, sendCode);
  routes.on(contract.phoneCodeLogin, (ctx, input) => loginByPhoneCode(ctx, parts, input));
  routes.on(contract.phoneLogin, (ctx, input) => loginByPhone(ctx, parts, input));
  routes.on(contract.verifyUserPhone, verifyUserPhone);
  routes.on(contract.bindPhone, bindPhone);
  routes.on(contract.returnPwd, resetPassword);
  routes.on(contract.webLogout, logout);
  routes.on(contract.updateInfo, updateInfo);
  routes.on(contract.listSessions, listSessions);
  routes.on(contract.revokeSession, endSession);
  routes.on(contract.exportAccount, exportAccount);
  routes.on(contract.exportStatus, getExportStatus);
  routes.on(contract.cancelAccount, (ctx, input) => cancelAccount(ctx, parts, input));
  picture(
    scans.MINI_QR_PATH,
    '小程序登录码（PNG），scene 见 /api/user/getMiniLoginScene；仅限发起登录的浏览器。',
    serveMiniQr,
  );
  picture(MINI_HOME_QR_PATH, '打开小程序的小程序码（PNG）。', serveMiniHomeQr);
  routes.on(contract.getWxQrCode, async () => ({ url: FOLLOW_QR_PATH }));
  picture(FOLLOW_QR_PATH, '关注公众号的二维码（SVG）。', serveFollowQr);
  picture(
    scans.OFFIACCOUNT_QR_PATH,
    '公众号登录二维码（SVG），scene 见 /api/v2/user/offiaccountLogin。',
    serveOffiaccountQr,
  );
  routes.raw(
    ['GET'],
    contract.EXPORT_FILE_PATH,
    {
      perIp: EXPORTS_PER_MINUTE,
      summary: '下载本人的数据副本（ZIP），地址由 /api/user/export 给出；须以同一帐号登录。',
    },
    serveExport,
  );
  routes.raw(
    ['GET', 'POST'],
    scans.OFFIACCOUNT_EVENTS_PATH,
    { perIp: PUSHES_PER_MINUTE, hiddenBecause: 'only WeChat calls it, in a form of its own' },
    serveOffiaccount,
  );
};

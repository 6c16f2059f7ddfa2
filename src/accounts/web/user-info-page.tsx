import { UserCentreTitle } from './user-centre-title.tsx';
import { callFrom } from '../../page-context.ts';
import { CODE } from '../../protocol/codes.ts';
import { exportStatus, listSessions } from '../contract.ts';
import type { Route } from './+types/user-info-page';
import { DeleteAccount } from './settings/delete-account.tsx';
import { ExportData } from './settings/export-data.tsx';
import { NicknameRow } from './settings/nickname-row.tsx';
import { PasswordRow } from './settings/password-row.tsx';
import { PhoneRow } from './settings/phone-row.tsx';
import { privateMeta, useSessionCheck } from './private-page.tsx';
import { isSessionOver } from './credentials.ts';
import { useSession } from './session.tsx';
import { SessionList } from './settings/session-list.tsx';
import { Avatar } from './avatar.tsx';
import { Row, Rows } from './settings/settings-rows.tsx';
import styles from './user-info-page.module.css';

/**
 * Loads sessions and export state; null where they cannot be read, or for a visitor, for whom the layout shows 请先登录
 * (C-17).
 */
export async function loader({ context }: Route.LoaderArgs) {
  const call = callFrom(context);
  const [sessions, copy] = await Promise.all([
    call(listSessions, {}).catch(() => null),
    call(exportStatus, {}).catch(() => null),
  ]);
  return {
    sessions: sessions?.code === CODE.ok ? sessions.data : null,
    copy: copy?.code === CODE.ok ? copy.data : null,
    isOver: sessions !== null && isSessionOver(sessions.code),
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '个人信息');
}

/** Renders /user/userinfo (§2): profile, login and security, open sessions, the export and the deletion. */
export default function UserInfoPage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  useSessionCheck(loaderData.isOver);
  if (!member) return null;
  return (
    <>
      <UserCentreTitle>个人信息</UserCentreTitle>
      <Rows title="基本信息">
        <Row label="头像">
          <Avatar name={member.nickname} src={member.avatar} size={48} />
          <span className={styles['note']}>{member.avatar ? '取自微信头像' : '取昵称的第一个字'}</span>
        </Row>
        <NicknameRow nickname={member.nickname} />
      </Rows>
      <Rows title="登录与安全">
        <PhoneRow phone={member.phone} hasPassword={member.has_password === 1} hasWeChat={member.openid !== ''} />
        <PasswordRow phone={member.phone} hasPassword={member.has_password === 1} />
      </Rows>
      <SessionList open={loaderData.sessions} />
      <Rows title="我的数据">
        <ExportData copy={loaderData.copy} member={member} />
        <DeleteAccount member={member} />
      </Rows>
    </>
  );
}

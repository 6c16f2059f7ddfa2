import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useSession } from './session.tsx';

/** What a visitor sees of a private page: no redirect, the dialog by itself, and the way to it (C-17). */
export function PleaseLogIn() {
  const { openLogin, offerLogin, isLeaving } = useSession();
  const open = useRef(() => {});
  open.current = () => {
    if (!isLeaving) offerLogin();
  };
  useEffect(() => open.current(), []);
  return (
    <Empty heading="h1" drawing="lock" title="请先登录" text="登录后查看会员与喵币">
      <Button look="primary" onClick={() => openLogin()}>
        登录
      </Button>
    </Empty>
  );
}

import { useEffect, useRef } from 'react';
import type { MetaDescriptor } from 'react-router';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { useSession } from './session.tsx';

/**
 * Renders what a visitor sees of a private page: no redirect, but the login dialog, and a button that opens it again
 * (C-17).
 */
export function PleaseLogIn({ text = '登录后查看会员与喵币' }: { text?: string }) {
  const { openLogin, offerLogin, isLeaving, farewell } = useSession();
  const open = useRef(() => {});
  open.current = () => {
    if (!isLeaving) offerLogin();
  };
  useEffect(() => {
    // The session may end far down a long page, of which only the footer would be in sight.
    window.scrollTo(0, 0);
    open.current();
  }, []);
  if (farewell) {
    return (
      <Empty heading="h1" drawing="lock" title={farewell} text="在此之前重新登录，即撤销注销申请">
        <LinkButton to="/index" reloadDocument>
          返回首页
        </LinkButton>
      </Empty>
    );
  }
  return (
    <Empty heading="h1" drawing="lock" title="请先登录" text={text}>
      <Button look="primary" onClick={() => openLogin()}>
        登录
      </Button>
    </Empty>
  );
}

/** Returns the head of a private page: a title, and nothing for search engines (C-17). */
export function privateMeta(root: { site: { name: string } } | undefined, title: string): MetaDescriptor[] {
  return [{ title: `${title} - ${root?.site.name ?? '策库'}` }, { name: 'robots', content: 'noindex' }];
}

/**
 * Clears the session when a private page's loader was answered 2 or 10000 while the header still shows a member: the
 * session ended in the meantime, perhaps on another device (§4).
 */
export function useSessionCheck(isOver: boolean): void {
  const { member, expire } = useSession();
  const isContradiction = isOver && member !== null;
  useEffect(() => {
    if (isContradiction) expire();
  }, [isContradiction, expire]);
}

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSession } from './session.tsx';

/** How long an invite link counts (C-90). */
const REMEMBERED_SECONDS = 30 * 86_400;

/**
 * Keeps who sent the link (`?invite={uid}`) in a cookie, which the server reads when an account is created. The first link counts. The
 * browser does it, because pages for visitors are kept and are the same for everybody.
 */
export function RememberInvite() {
  const { member } = useSession();
  const { search } = useLocation();
  const inviter = new URLSearchParams(search).get('invite') ?? '';
  const isVisitor = member === null;
  useEffect(() => {
    if (!isVisitor || !/^[1-9]\d{0,14}$/.test(inviter) || hasInvite()) return;
    const secure = window.location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `invite=${inviter}; path=/; max-age=${REMEMBERED_SECONDS}; samesite=lax${secure}`;
  }, [isVisitor, inviter]);
  return null;
}

const hasInvite = (): boolean => document.cookie.split('; ').some((pair) => pair.startsWith('invite='));

import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../accounts/web/session.tsx';
import { CODE } from '../../protocol/codes.ts';
import { toast } from '../../ui/toast.ts';

const TO_VIP_MS = 2000;

/**
 * §8, C-37: when the search is refused to an ordinary user, the server's message warns and the page moves on to
 * /aboutVip. A visitor stays: the locked panel says the same and offers the login.
 */
export function useSearchRefusal(reply: { code: number; message: string }): void {
  const { member } = useSession();
  const navigate = useNavigate();
  const isSentOn = reply.code === CODE.searchLimit && member?.user_type === 1;
  useEffect(() => {
    if (!isSentOn) return;
    toast.warning(reply.message);
    // In place of the refused page: Back must not lead into it, and from there forward again.
    const timer = setTimeout(() => void navigate('/aboutVip', { replace: true }), TO_VIP_MS);
    return () => clearTimeout(timer);
  }, [isSentOn, reply.message, navigate]);
}

import { useRef, useState } from 'react';
import type { Member } from '../../../membership/contract.ts';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { cancelAccount, COOLING_OFF_DAYS } from '../../contract.ts';
import { call } from '../call.ts';
import { CodeField, codeError } from '../login/code-field.tsx';
import styles from './delete-dialog.module.css';
import formStyles from '../login/login-form.module.css';
import { kindsOf, useLoginMethods } from '../login/login-methods.ts';
import { PasswordField } from '../login/password-field.tsx';
import { ScanProof, isScanWanted } from '../login/scan-login.tsx';
import { useSession } from '../session.tsx';
import { useSending } from '../login/use-sending.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** 注销账号 (C-74): what it means, a proof of the owner, and seven days to think again. */
export function DeleteDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  return (
    <Sheet title="注销账号" onClose={onClose}>
      <DeleteForm member={member} onClose={onClose} />
    </Sheet>
  );
}

function DeleteForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const { sayFarewell } = useSession();
  const { isSending, send } = useSending();
  const [isAgreed, setIsAgreed] = useState(false);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  /** Why the account cannot be deleted now, whatever is typed. */
  const [obstacle, setObstacle] = useState<string | null>(null);
  const [isScanning, setIsScanning] = useState(false);
  const kinds = kindsOf(useLoginMethods());
  const proof = useRef<HTMLInputElement>(null);
  const isByPhone = member.phone !== '';
  const isByPassword = !isByPhone && member.has_password === 1;

  const submit = send(async () => {
    const wrong = isByPhone ? codeError(code) : isByPassword && password === '' ? '请输入密码' : null;
    setError(wrong);
    setObstacle(null);
    if (wrong) return proof.current?.focus();
    const reply = await call(cancelAccount, { code, pwd: password });
    if (isScanWanted(reply)) return setIsScanning(true);
    if (reply.code === CODE.conflict) return setObstacle(reply.message);
    if (reply.code !== CODE.ok || !reply.data) {
      toast.warning(reply.message);
      setError(reply.message);
      return proof.current?.focus();
    }
    onClose();
    toast.success(reply.message);
    sayFarewell(`账号将于 ${momentText(reply.data.erase_at)} 删除`);
  });

  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setError(null);
  };
  if (isScanning) {
    return (
      <>
        <p className={formStyles['lead']}>请用已绑定此账号的微信扫码，确认是您本人，再提交注销申请。</p>
        <ScanProof kinds={kinds} onDone={() => setIsScanning(false)} />
      </>
    );
  }
  return (
    <form onSubmit={submit} className={formStyles['form']} noValidate>
      <ul className={styles['means']}>
        <li>提交后立即退出所有设备；{COOLING_OFF_DAYS} 天内重新登录即撤销注销</li>
        <li>期满后永久删除昵称、头像、手机号、微信绑定和使用记录，无法恢复</li>
        <li>
          {member.balance > 0 ? `剩余的 ${formatNumber(member.balance)} 喵币` : '喵币'}
          、会员时长与已购方案同时失效，不予退还
        </li>
        <li>依法需要保存的交易流水，会去除身份信息后保留</li>
      </ul>
      {isByPhone && (
        <>
          <p className={formStyles['fact']}>
            验证码将发送至 <b>{member.phone}</b>
          </p>
          <CodeField ref={proof} value={code} onChange={change(setCode)} phone="" purpose="cancel" error={error} />
        </>
      )}
      {isByPassword && <PasswordField ref={proof} value={password} onChange={change(setPassword)} error={error} />}
      <label className={styles['agree']}>
        <input type="checkbox" checked={isAgreed} onChange={(event) => setIsAgreed(event.currentTarget.checked)} />
        我已了解注销的后果
      </label>
      {obstacle && (
        <p className={formStyles['refused']} role="alert">
          {obstacle}
        </p>
      )}
      <div className={styles['actions']}>
        <Button size="large" onClick={onClose}>
          再想想
        </Button>
        <Button type="submit" look="primary" size="large" disabled={isSending || !isAgreed}>
          {isSending ? '提交中…' : '提交注销申请'}
        </Button>
      </div>
    </form>
  );
}

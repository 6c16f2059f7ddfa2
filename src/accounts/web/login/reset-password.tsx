import { useCallback, useEffect, useRef, useState } from 'react';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { returnPwd, verifyUserPhone } from '../../contract.ts';
import { isMemberPassword, isPhone, PASSWORD_ERROR } from '../../rules.ts';
import { call } from '../call.ts';
import { CodeField, codeError } from './code-field.tsx';
import styles from './login-form.module.css';
import { PasswordField } from './password-field.tsx';
import { PhoneField, phoneError } from './phone-field.tsx';
import { refusalDetail } from './refusal-detail.ts';
import { useSending } from './use-sending.ts';

type Errors = { phone?: string | null; code?: string | null; password?: string | null };

/**
 * Renders the password reset by a code to the phone (C-69). When the check of the phone fails, the password field is
 * hidden and the button is disabled (§5). `ownPhone`: the member's masked phone; without it the form asks for the
 * number.
 */
export function ResetPassword(props: {
  ownPhone?: string;
  start?: string;
  /** 设置 for an account that has no password yet. */
  verb?: '重置' | '设置';
  onDone: (phone: string) => void;
}) {
  const isOwn = props.ownPhone !== undefined;
  const [phone, setPhone] = useState(props.start ?? '');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const { check, again } = usePhoneCheck(isOwn ? null : phone);
  const { isSending, send } = useSending();
  const codeField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const refuse = (error: string, isPassword: boolean) => {
    setErrors({ [isPassword ? 'password' : 'code']: error });
    (isPassword ? passwordField : codeField).current?.focus();
  };
  const submit = send(async () => {
    const wrongCode = codeError(code);
    if (wrongCode) return refuse(wrongCode, false);
    if (!isMemberPassword(password)) return refuse(PASSWORD_ERROR, true);
    setErrors({});
    const reply = await call(returnPwd, { ...(!isOwn && { phone }), code, pwd: password });
    if (reply.code !== CODE.ok) {
      toast.warning(reply.message);
      // A common password is refused by the server alone.
      return refuse(reply.message, refusalDetail(reply.data, 'field') === 'pwd');
    }
    toast.success(reply.message);
    props.onDone(phone);
  });

  const isRefused = check.state === 'refused';
  const checkPhone = () => {
    const error = isOwn ? null : phoneError(phone);
    setErrors(error ? { phone: error } : {});
    return error === null && !isRefused;
  };
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      {isOwn ? (
        <p>
          验证码将发送至 <b>{props.ownPhone}</b>
        </p>
      ) : (
        <PhoneField
          value={phone}
          onChange={(text) => {
            setPhone(text);
            setErrors({});
          }}
          error={errors.phone ?? (isRefused ? check.message : null)}
          label="已注册的手机号"
          isFirst
        />
      )}
      {isRefused && (isOwn || !check.isFinal) && (
        <p className={styles['refused']} role="alert">
          {isOwn ? check.message : '暂时无法核对该手机号'}
          {!check.isFinal && (
            <button type="button" className={styles['link']} onClick={again}>
              重新核对
            </button>
          )}
        </p>
      )}
      {!isRefused && (
        <>
          <CodeField
            ref={codeField}
            value={code}
            onChange={(text) => {
              setCode(text);
              setErrors((others) => ({ ...others, code: null }));
            }}
            phone={isOwn ? '' : phone}
            purpose="reset"
            check={checkPhone}
            error={errors.code ?? null}
            isDisabled={check.state === 'checking'}
          />
          <PasswordField
            isNew
            ref={passwordField}
            value={password}
            onChange={(text) => {
              setPassword(text);
              setErrors((others) => ({ ...others, password: null }));
            }}
            error={errors.password ?? null}
          />
        </>
      )}
      <Button type="submit" look="primary" size="large" disabled={isSending || check.state !== 'known'}>
        {isSending ? '提交中…' : `${props.verb ?? '重置'}密码`}
      </Button>
    </form>
  );
}

type PhoneCheck =
  | { state: 'open' | 'checking' | 'known' }
  /** `isFinal`: asking again cannot help, only another number can. */
  | { state: 'refused'; message: string; isFinal: boolean };

/**
 * Checks whether a number may reset its password (C-67), as soon as the number is complete. `phone` null: the member's
 * phone. `again` repeats the check after a failure.
 */
function usePhoneCheck(phone: string | null): { check: PhoneCheck; again: () => void } {
  const [check, setCheck] = useState<PhoneCheck>({ state: 'open' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (phone !== null && !isPhone(phone)) return setCheck({ state: 'open' });
    let isCurrent = true;
    setCheck({ state: 'checking' });
    const ask = async () => {
      const reply = await call(verifyUserPhone, phone === null ? {} : { phone }).catch(() => null);
      if (!isCurrent) return;
      if (reply?.code === CODE.ok) setCheck({ state: 'known' });
      else {
        const message = reply?.message ?? '网络异常，请稍后再试';
        setCheck({ state: 'refused', message, isFinal: reply?.code === CODE.failed });
      }
    };
    void ask();
    return () => void (isCurrent = false);
  }, [phone, attempt]);
  return { check, again: useCallback(() => setAttempt((count) => count + 1), []) };
}

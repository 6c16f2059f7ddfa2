import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { bindPhone } from '../../contract.ts';
import { isMemberPassword, PASSWORD_ERROR } from '../../rules.ts';
import { call } from '../call.ts';
import { CodeField, codeError } from '../login/code-field.tsx';
import styles from '../login/login-form.module.css';
import { kindsOf, useLoginMethods } from '../login/login-methods.ts';
import { PasswordField } from '../login/password-field.tsx';
import { PhoneField, phoneError } from '../login/phone-field.tsx';
import { refusalDetail } from '../login/refusal-detail.ts';
import { ScanProof, isScanWanted } from '../login/scan-login.tsx';
import { Row } from './settings-rows.tsx';
import { useSending } from '../login/use-sending.ts';

type Standing = { phone: string; hasPassword: boolean; hasWeChat: boolean };

/** Renders the bound phone or 未绑定, and the dialog that binds or changes it. */
export function PhoneRow(props: Standing) {
  const { phone } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row
      label="手机"
      action={
        <Button size="small" aria-label={titleOf(phone)} onClick={() => setIsOpen(true)}>
          {phone ? '更换' : '绑定'}
        </Button>
      }
    >
      {phone ? <b>{phone}</b> : <span className={styles['empty']}>未绑定</span>}
      {isOpen && (
        <Sheet title={titleOf(phone)} onClose={() => setIsOpen(false)}>
          <BindPhone {...props} onDone={() => setIsOpen(false)} />
        </Sheet>
      )}
    </Row>
  );
}

const titleOf = (phone: string) => (phone ? '更换手机号' : '绑定手机号');

type Fields = 'old_code' | 'phone' | 'code' | 'password';
type Errors = Partial<Record<Fields, string | null>>;

/**
 * Renders the form of C-68: first the proof of the owner, which is the password where there is one, else a code to the
 * phone that is replaced, or a scan; then the new phone. An account without a password may choose its first here.
 */
function BindPhone(props: Standing & { onDone: () => void }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const [oldCode, setOldCode] = useState('');
  const [phone, setPhone] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [isScanning, setIsScanning] = useState(false);
  const [isProven, setIsProven] = useState(false);
  const kinds = kindsOf(useLoginMethods());
  const form = useRef<HTMLFormElement>(null);
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
  const needsOldCode = props.phone !== '' && !props.hasPassword && !isProven;
  const hasSteps = props.phone !== '' && !props.hasPassword;

  const inputOf = (field: Fields) => (field === 'password' ? (props.hasPassword ? 'password' : 'new-password') : field);
  const refuse = (field: Fields, message: string) => {
    setErrors({ [field]: message });
    focus(inputOf(field));
  };
  const clear = (field: Fields) => setErrors((others) => ({ ...others, [field]: null }));
  const checkPhone = () => {
    const error = phoneError(phone);
    if (error) refuse('phone', error);
    else clear('phone');
    return error === null;
  };
  const submit = send(async () => {
    if (needsOldCode && codeError(oldCode)) return refuse('old_code', '请输入原手机号收到的6位验证码');
    if (!checkPhone()) return;
    const wrongCode = codeError(code);
    if (wrongCode) return refuse('code', wrongCode);
    if (props.hasPassword && password === '') return refuse('password', '请输入当前密码');
    if (!props.hasPassword && password !== '' && !isMemberPassword(password)) return refuse('password', PASSWORD_ERROR);
    const reply = await call(bindPhone, { phone, pwd: password, code, old_code: oldCode });
    if (reply.code === CODE.ok) {
      props.onDone();
      toast.success(reply.message);
      return revalidate();
    }
    if (isScanWanted(reply)) return setIsScanning(true);
    toast.warning(reply.message);
    refuse(fieldOf(reply, props.hasPassword), reply.message);
  });

  if (isScanning) {
    return (
      <>
        <p className={styles['lead']}>为了您的账号安全，请用已绑定此账号的微信扫码，确认是您本人。</p>
        <ScanProof
          kinds={kinds}
          onDone={() => {
            setIsProven(true);
            setErrors({});
            setIsScanning(false);
          }}
        />
        <Button look="plain" className={styles['back']} onClick={() => setIsScanning(false)}>
          返回
        </Button>
      </>
    );
  }
  return (
    <form ref={form} onSubmit={submit} className={styles['form']} noValidate>
      {isProven && (
        <p className={styles['proven']} role="status">
          已通过微信验证
        </p>
      )}
      {needsOldCode && (
        <fieldset className={styles['step']}>
          <legend>1. 验证原手机号 {props.phone}</legend>
          <CodeField
            value={oldCode}
            onChange={(text) => {
              setOldCode(text);
              clear('old_code');
            }}
            phone=""
            purpose="rebind"
            label="原手机号的验证码"
            name="old_code"
            isFirst
            error={errors.old_code ?? null}
          />
          <p className={styles['hint']}>
            原手机号已停用？
            {props.hasWeChat && kinds.length > 0 ? (
              <button type="button" className={styles['link']} onClick={() => setIsScanning(true)}>
                改用微信扫码验证
              </button>
            ) : (
              '请联系客服处理'
            )}
          </p>
        </fieldset>
      )}
      {props.phone && !hasSteps && (
        <p className={styles['fact']}>
          当前手机号 <b>{props.phone}</b>
        </p>
      )}
      <fieldset className={styles['step']}>
        {needsOldCode && <legend>2. 绑定新手机号</legend>}
        <PhoneField
          value={phone}
          onChange={(text) => {
            setPhone(text);
            setErrors((others) => ({ ...others, phone: null, code: null }));
          }}
          error={errors.phone ?? null}
          label={props.phone ? '新手机号' : '手机号'}
          isOwn={props.phone === ''}
          isFirst={!needsOldCode}
        />
        <CodeField
          value={code}
          onChange={(text) => {
            setCode(text);
            clear('code');
          }}
          phone={phone}
          purpose="bind"
          label={needsOldCode ? '新手机号的验证码' : '验证码'}
          check={checkPhone}
          error={errors.code ?? null}
        />
        <PasswordField
          isNew={!props.hasPassword}
          label={props.hasPassword ? '当前密码' : '登录密码（选填）'}
          value={password}
          onChange={(text) => {
            setPassword(text);
            clear('password');
          }}
          error={errors.password ?? null}
        />
      </fieldset>
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : props.phone ? '更换' : '绑定'}
      </Button>
    </form>
  );
}

/** Returns the field that a refusal is about. */
function fieldOf(reply: { code: number; data: object | null }, hasPassword: boolean): Fields {
  const field = refusalDetail(reply.data, 'field');
  if (field === 'old_code') return field;
  if (field === 'pwd') return 'password';
  if (reply.code === CODE.conflict) return 'phone';
  // tooFrequent here is the lock of wrong passwords: no other refusal of this form waits for minutes.
  const isPassword = reply.code === CODE.failed || (reply.code === CODE.tooFrequent && hasPassword);
  return isPassword ? 'password' : 'code';
}

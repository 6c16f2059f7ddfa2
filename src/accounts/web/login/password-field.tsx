import type { Ref } from 'react';
import { PasswordInput } from '../../../ui/controls/text-field.tsx';

/** Renders 密码 for an existing password, or with `isNew` 新密码 for a chosen one. */
export function PasswordField(props: {
  value: string;
  onChange: (password: string) => void;
  error?: string | null;
  label?: string;
  isNew?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  const { isNew = false, label = isNew ? '新密码' : '密码' } = props;
  return (
    <PasswordInput
      ref={props.ref}
      label={label}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={isNew ? 20 : 64}
      placeholder={isNew ? '8-20位字母和数字组合' : undefined}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

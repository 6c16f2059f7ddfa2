import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';

/** C-70, of a password that members choose. */
export const NO_PASSWORD = '密码需为8-20位字母和数字组合';

/** 密码, the one somebody has; `isNew`: 新密码, one they choose. */
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
      size="md"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={isNew ? 20 : 64}
      placeholder={isNew ? '8-20位字母和数字组合' : undefined}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      visibilityToggleFocusable
      // It says itself whether it is pressed.
      visibilityToggleButtonProps={{ 'aria-label': '显示密码' }}
    />
  );
}

import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';

/** C-70. */
export const NO_PASSWORD = '密码需为8-20位字母和数字组合';

/** 新密码, as members choose it. */
export function NewPasswordField(props: {
  value: string;
  onChange: (password: string) => void;
  error?: string | null;
  label?: string;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <PasswordInput
      ref={props.ref}
      label={props.label ?? '新密码'}
      name="new-password"
      size="md"
      autoComplete="new-password"
      maxLength={20}
      placeholder="8-20位字母和数字组合"
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': '显示或隐藏密码' }}
    />
  );
}

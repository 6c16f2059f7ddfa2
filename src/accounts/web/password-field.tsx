import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';

/** 密码: the one somebody has. NewPasswordField is for one they choose. */
export function PasswordField(props: {
  value: string;
  onChange: (password: string) => void;
  error?: string | null;
  label?: string;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <PasswordInput
      ref={props.ref}
      label={props.label ?? '密码'}
      name="password"
      size="md"
      autoComplete="current-password"
      maxLength={64}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': '显示或隐藏密码' }}
    />
  );
}

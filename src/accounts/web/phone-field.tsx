import { TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { cleanPhone, isPhone } from '../rules.ts';

export const NO_PHONE = '请输入正确的手机号';

/** What C-70 would say of it, null when nothing. */
export const phoneError = (phone: string) => (isPhone(phone) ? null : NO_PHONE);

/** 手机号. Hands out the number without spaces and country code. */
export function PhoneField(props: {
  value: string;
  onChange: (phone: string) => void;
  error?: string | null;
  label?: string;
  isFirst?: boolean;
  /** False where the number is not the one the browser knows: the new one of a change. */
  isOwn?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <TextInput
      ref={props.ref}
      label={props.label ?? '手机号'}
      name="phone"
      type="tel"
      inputMode="numeric"
      size="md"
      autoComplete={props.isOwn === false ? 'off' : 'tel-national'}
      maxLength={20}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(cleanPhone(event.currentTarget.value))}
      data-autofocus={props.isFirst || undefined}
    />
  );
}

import type { Ref } from 'react';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { cleanPhone, isPhone, PHONE_ERROR } from '../../rules.ts';

/** Returns the error of C-70 for a phone, null when there is none. */
export const phoneError = (phone: string) => (isPhone(phone) ? null : PHONE_ERROR);

/** Renders 手机号 and passes on the number without spaces and country code. */
export function PhoneField(props: {
  value: string;
  onChange: (phone: string) => void;
  error?: string | null;
  label?: string;
  isFirst?: boolean;
  /** False for a number that the browser does not know: the new phone of a change. */
  isOwn?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <TextField
      ref={props.ref}
      label={props.label ?? '手机号'}
      name="phone"
      type="tel"
      inputMode="numeric"
      autoComplete={props.isOwn === false ? 'off' : 'tel-national'}
      maxLength={30}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(cleanPhone(event.currentTarget.value))}
      data-autofocus={props.isFirst || undefined}
    />
  );
}

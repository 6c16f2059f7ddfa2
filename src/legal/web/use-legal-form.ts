import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import { CODE } from '../../protocol/codes.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import type { FieldError } from '../rules.ts';

type Reply<Receipt> = { code: number; message: string; data: Receipt | { field?: unknown } | null };

/**
 * The state of a form of texts that ends with a receipt. `check` finds what is wrong before anything is sent; a refusal of the server
 * that names a field is shown at that field. The first wrong field gets the focus.
 */
export function useLegalForm<Fields extends Record<string, string>, Receipt extends { receipt_no: string }>(options: {
  empty: Fields;
  check: (fields: Fields) => FieldError<keyof Fields & string>[];
  submit: (fields: Fields) => Promise<Reply<Receipt>>;
}): {
  form: RefObject<HTMLFormElement | null>;
  fields: Fields;
  errors: Partial<Record<keyof Fields, string>>;
  set: (changed: Partial<Fields>) => void;
  /** Returns what an input of texts needs to show and to change a field. */
  field: (name: keyof Fields & string) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: { currentTarget: { value: string } }) => void;
  };
  isSending: boolean;
  onSubmit: ReturnType<ReturnType<typeof useSending>['send']>;
  /** The receipt of what was sent; null until then. */
  receipt: Receipt | null;
  /** Empties the form for another one. */
  again: () => void;
} {
  const { empty, check, submit } = options;
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<Partial<Record<keyof Fields, string>>>({});
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const { isSending, send } = useSending();
  const hadReceipt = useRef(false);
  useEffect(() => {
    // The button that asked for another form went with the receipt.
    if (receipt === null && hadReceipt.current) form.current?.querySelector<HTMLElement>('input, select')?.focus();
    hadReceipt.current = receipt !== null;
  }, [receipt]);

  const mark = (found: FieldError[]) => {
    // Safe: the fields of the errors are those of the form, or of its call, which has the same names.
    setErrors(Object.fromEntries(found.map(({ field, message }) => [field, message])) as typeof errors);
    const element = found[0] && form.current?.elements.namedItem(found[0].field);
    if (element instanceof HTMLElement) element.focus();
  };
  const set = useCallback((changed: Partial<Fields>) => {
    setFields((known) => ({ ...known, ...changed }));
    // Only the changed fields lose their error. Safe: what remains are errors of the same fields.
    const isKept = ([name]: [string, unknown]) => !(name in changed);
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(isKept)) as typeof known);
  }, []);
  useEffect(() => {
    // What was filled in before the scripts arrived stays.
    const typed = new FormData(form.current ?? undefined);
    // Safe: every field is a text.
    set(Object.fromEntries([...typed].filter(([, value]) => value !== '')) as Partial<Fields>);
  }, [set]);
  const onSubmit = send(async () => {
    const found = check(fields);
    if (found.length > 0) return mark(found);
    const { code, message, data } = await submit(fields);
    if (code === CODE.ok && data !== null && 'receipt_no' in data) {
      setErrors({});
      setReceipt(data);
      return;
    }
    const field = data !== null && 'field' in data ? data.field : null;
    if (typeof field === 'string' && field in fields) return mark([{ field, message }]);
    toast.warning(message);
  });

  return {
    form,
    fields,
    errors,
    set,
    field: (name) => ({
      name,
      value: fields[name] ?? '',
      error: errors[name],
      // Safe: every field is a text.
      onChange: ({ currentTarget }) => set({ [name]: currentTarget.value } as Partial<Fields>),
    }),
    isSending,
    onSubmit,
    receipt,
    again() {
      setFields(empty);
      setReceipt(null);
    },
  };
}

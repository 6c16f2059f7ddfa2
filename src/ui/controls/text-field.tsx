import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { EyeIcon } from '../pictures/tool-icons.tsx';
import styles from './text-field.module.css';

type FieldProps = {
  /** Without a label the field is named by `aria-label`. */
  label?: string;
  /** A line that helps to fill in the field. */
  description?: string | null;
  /** Message about a wrong value; the field is marked as wrong. */
  error?: string | null | undefined;
};

/** A line of text with its label, its help and its error. `className` is for the whole of it. */
export function TextField({ label, description, error, className, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field {...{ label, description, error, className }}>
      {(names) => <input type="text" {...rest} {...names} className={styles['input']} />}
    </Field>
  );
}

/** A text of several lines, which grows with its content. */
export function TextArea({ label, description, error, className, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, description, error, className }}>
      {(names) => <textarea {...rest} {...names} className={`${styles['input']} ${styles['area']}`} />}
    </Field>
  );
}

/** A choice of a list, for forms: the browser's own list, which a phone shows in its own way. `choices` are value and text. */
export function SelectField(
  props: FieldProps &
    Omit<ComponentProps<'select'>, 'children'> & { choices: readonly (readonly [value: string, text: string])[] },
) {
  const { label, description, error, className, choices, ...rest } = props;
  return (
    <Field {...{ label, description, error, className }}>
      {(names) => (
        <select {...rest} {...names} className={`${styles['input']} ${styles['select']}`}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox with a sentence beside it, and its error below. */
export function CheckField({
  label,
  error,
  ...rest
}: { label: string; error?: string | null | undefined } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label className={styles['check']}>
        <input type="checkbox" {...rest} {...(error && { 'aria-invalid': true, 'aria-describedby': id })} />
        {label}
      </label>
      {error && (
        <p id={id} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A password, which a button shows. */
export function PasswordInput({ label, description, error, className, ...rest }: FieldProps & ComponentProps<'input'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field {...{ label, description, error, className }}>
      {(names) => (
        <span className={styles['password']}>
          <input {...rest} {...names} type={isShown ? 'text' : 'password'} className={styles['input']} />
          <button
            type="button"
            className={styles['eye']}
            aria-label="显示密码"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            <EyeIcon size={18} isCrossed={isShown} />
          </button>
        </span>
      )}
    </Field>
  );
}

type Names = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

function Field(
  props: { [P in keyof FieldProps]: FieldProps[P] | undefined } & {
    className: string | undefined;
    children: (names: Names) => ReactNode;
  },
) {
  const { label, description, error } = props;
  const id = useId();
  const described = [description && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={[styles['field'], props.className].filter(Boolean).join(' ')}>
      {label && (
        <label className={styles['label']} htmlFor={id}>
          {label}
        </label>
      )}
      {props.children({
        id,
        ...(error && { 'aria-invalid': true }),
        ...(described && { 'aria-describedby': described }),
      })}
      {description && (
        <p id={`${id}-help`} className={styles['help']}>
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}

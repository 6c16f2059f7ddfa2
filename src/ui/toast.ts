import { createElement, Fragment, type ReactNode } from 'react';
import styles from './toast.module.css';

const SHOWN_MS = 3000;
const RETRY_MS = 10_000;

/** Short messages at the top of the page, for 3 s. The same text is never stacked twice. */
export const toast = {
  /** A failure with a button that tries again; stays until it is pressed or closed, or ten seconds have passed. */
  retry: (message: string, onRetry: () => void) => show(message, '#e5a83b', onRetry),
  info: (message: string) => show(message, '#a29b8f'),
  success: (message: string) => show(message, '#4fb39f'),
  warning: (message: string) => show(message, '#e5a83b'),
  error: (message: string) => show(message, '#e4644c'),
};

function show(message: string, color: string, onRetry?: () => void): void {
  // Loaded when first needed, like the area they appear in.
  void import('@mantine/notifications').then(({ notifications }) => {
    notifications.hide(message);
    notifications.show({
      id: message,
      message: onRetry ? withRetry(message, () => (notifications.hide(message), onRetry())) : message,
      color,
      autoClose: onRetry ? RETRY_MS : SHOWN_MS,
      withCloseButton: false,
      classNames: { root: styles['toast'] ?? '', description: styles['text'] ?? '' },
    });
  });
}

const withRetry = (message: string, onRetry: () => void): ReactNode =>
  createElement(
    Fragment,
    null,
    message,
    createElement('button', { type: 'button', className: styles['retry'], onClick: onRetry }, '重试'),
  );

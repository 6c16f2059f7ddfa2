import styles from './toast.module.css';

const SHOWN_MS = 3000;

/** Short messages at the top of the page, for 3 s. The same text is never stacked twice. */
export const toast = {
  info: (message: string) => show(message, '#a29b8f'),
  success: (message: string) => show(message, '#4fb39f'),
  warning: (message: string) => show(message, '#e5a83b'),
  error: (message: string) => show(message, '#e4644c'),
};

function show(message: string, color: string): void {
  // Loaded when first needed, like the area they appear in.
  void import('@mantine/notifications').then(({ notifications }) => {
    notifications.hide(message);
    notifications.show({
      id: message,
      message,
      color,
      autoClose: SHOWN_MS,
      withCloseButton: false,
      classNames: { root: styles['toast'] ?? '', description: styles['text'] ?? '' },
    });
  });
}

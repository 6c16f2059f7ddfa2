import { notifications } from '@mantine/notifications';

const SHOWN_MS = 3000;

/** Short messages at the top of the page. The same text is never stacked twice. */
export const toast = {
  info: (message: string) => show(message, 'gray.9'),
  success: (message: string) => show(message, 'teal.9'),
  warning: (message: string) => show(message, 'yellow.7'),
  error: (message: string) => show(message, 'seal'),
};

function show(message: string, color: string): void {
  notifications.hide(message);
  notifications.show({ id: message, message, color, autoClose: SHOWN_MS, closeButtonProps: { 'aria-label': '关闭' } });
}

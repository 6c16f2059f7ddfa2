import styles from './toast.module.css';

const SHOWN_MS = 3000;

/**
 * Short messages at the top of the page, for 3 s. The same text is never stacked twice; with an `id`, a message takes the place of the
 * one before it under that id, for what goes on: 开始下载 becomes 下载完成.
 */
export const toast = {
  info: (message: string, id?: string) => show(message, '#a29b8f', id),
  success: (message: string, id?: string) => show(message, '#4fb39f', id),
  warning: (message: string, id?: string) => show(message, '#e5a83b', id),
  error: (message: string, id?: string) => show(message, '#e4644c', id),
};

function show(message: string, color: string, id = message): void {
  // Loaded when first needed, like the area they appear in.
  void import('@mantine/notifications').then(({ notifications, notificationsStore }) => {
    const shown = notificationsStore.getState().notifications.some((one) => one.id === id);
    // In place where it is still there; a text that comes again comes anew.
    const put = shown && id !== message ? notifications.update : notifications.show;
    if (put === notifications.show) notifications.hide(id);
    put({
      id,
      message,
      color,
      autoClose: SHOWN_MS,
      withCloseButton: false,
      classNames: { root: styles['toast'] ?? '', description: styles['text'] ?? '' },
    });
  });
}

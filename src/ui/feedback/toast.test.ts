import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, it } from 'vitest';
import { toast } from './toast.tsx';

const shown = () => notificationsStore.getState().notifications.map(({ id, message }) => ({ id, message }));

afterEach(() => notifications.clean());

it('turns a message of a process into the next one of that process', async () => {
  toast.info('开始下载，请稍候…', 'download:9');
  await expect.poll(shown).toEqual([{ id: 'download:9', message: '开始下载，请稍候…' }]);
  toast.success('下载完成', 'download:9');
  await expect.poll(shown).toEqual([{ id: 'download:9', message: '下载完成' }]);
});

it('shows two processes beside each other, and one text once however often it is said', async () => {
  toast.info('开始下载，请稍候…', 'download:9');
  toast.info('开始下载，请稍候…', 'download:12');
  await expect.poll(() => shown().length).toBe(2);
  toast.warning('请输入关键词');
  toast.warning('请输入关键词');
  await expect.poll(() => shown().length).toBe(3);
});

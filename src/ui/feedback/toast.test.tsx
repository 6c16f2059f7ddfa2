import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { toast, ToastArea } from './toast.tsx';

const shown = () => [...renderToStaticMarkup(<ToastArea />).matchAll(/<\/span>([^<]+)/g)].map(([, message]) => message);

it('turns a message of a process into the next one of that process', () => {
  toast.info('开始下载，请稍候...', 'download:9');
  toast.warning('请先登录');
  expect(shown()).toEqual(['开始下载，请稍候...', '请先登录']);
  toast.success('下载完成', 'download:9');
  expect(shown()).toEqual(['下载完成', '请先登录']);
});

it('shows one text once however often it is said, and the newest three', () => {
  toast.warning('请输入关键词');
  toast.warning('请输入关键词');
  expect(shown()).toEqual(['下载完成', '请先登录', '请输入关键词']);
  toast.info('操作成功');
  expect(shown()).toEqual(['请先登录', '请输入关键词', '操作成功']);
});

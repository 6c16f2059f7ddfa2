import { call } from '../../../accounts/web/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { formatNumber } from '../../../protocol/format-number.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { tell } from '../tell.ts';
import { exportFavorites, moveToFolder } from '../../contract-folders.ts';
import { idsOf, type Chosen } from '../chosen-favorites.ts';

/** Moves favourites into a folder; 0 is the top. */
export const moveChosen = (items: Chosen, parentId: number): Promise<boolean> =>
  tell(call(moveToFolder, { ...idsOf(items), parent_id: parentId }), ({ moved }) => `已移动 ${moved} 项`);

/** WeChat's browser, on phones and on computers, saves nothing that a script made. */
const CANNOT_SAVE = /MicroMessenger/i;
const URL_KEPT_MS = 60_000;

/** Has the browser save the documents of a folder and of the folders within it (0: all) as CSV. A browser that cannot save what a script made is told so. */
export async function saveCsv(folderId: number): Promise<void> {
  if (CANNOT_SAVE.test(navigator.userAgent)) {
    toast.warning('微信里不能保存导出的文件，请在电脑的浏览器里导出');
    return;
  }
  const reply = await call(exportFavorites, { parent_id: folderId }).catch(() => null);
  if (reply?.code !== CODE.ok || !reply.data) {
    toast.warning(reply?.message ?? '网络不通，请稍后再试');
    return;
  }
  if (reply.data.count === 0) {
    // Removed in another tab meanwhile.
    toast.info('没有可以导出的方案');
    return;
  }
  const url = URL.createObjectURL(new Blob([reply.data.csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = reply.data.file_name;
  link.click();
  // The browser reads the URL a little later than the click.
  setTimeout(() => URL.revokeObjectURL(url), URL_KEPT_MS);
  toast.success(`已开始下载 ${formatNumber(reply.data.count)} 份方案的清单`);
}

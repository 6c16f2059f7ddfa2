import { useState, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router';
import { call } from '../../../accounts/web/call.ts';
import { usePurchase } from '../../../membership/web/prices/purchase.tsx';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { GroupIcon, ListIcon } from '../../../ui/pictures/icons.tsx';
import {
  CompareIcon,
  DownloadIcon,
  EyeIcon,
  FullScreenIcon,
  KeyboardIcon,
  PresentIcon,
} from '../../../ui/pictures/tool-icons.tsx';
import { comparePath } from '../../addresses.ts';
import { openOriginal, savePage, type DocumentDetail } from '../../contract.ts';
import styles from './viewer-menu.module.css';

/** The actions of the viewer that are not in its bar; on a phone those of the bar as well. */
export function ViewerMenu(props: {
  detail: DocumentDetail;
  /** The page shown; 0 after the last page. */
  page: number;
  anchor: RefObject<HTMLElement | null>;
  onOutline: () => void;
  onPresent: () => void;
  onFullScreen: () => void;
  onHelp: () => void;
  onGroups: () => void;
  onClose: () => void;
}) {
  const { detail, page } = props;
  const { open: buy } = usePurchase();
  const [saving, setSaving] = useState<Saving>({ name: 'none' });
  // The menu closes first, or what opens would lie below it.
  const then = (act: () => void) => () => {
    props.onClose();
    act();
  };
  const save = async () => {
    setSaving({ name: 'asking', what: '图片' });
    setSaving(await saveAsImage(detail.fid, page));
  };
  const openWhole = async () => {
    // Before the answer: a tab that opens without a press is blocked by the browser.
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    setSaving({ name: 'asking', what: 'PDF' });
    setSaving(await openInTab(detail, tab));
  };
  return (
    <Sheet title="更多" anchor={props.anchor} onClose={props.onClose}>
      <ul className={styles['menu']}>
        {detail.outline.length > 0 && (
          <Item icon={<ListIcon />} isPhoneOnly onClick={then(props.onOutline)}>
            目录
          </Item>
        )}
        {page > 0 && (
          <Item icon={<PresentIcon />} onClick={then(props.onPresent)}>
            演示
          </Item>
        )}
        {canFillScreen() && (
          <Item icon={<FullScreenIcon />} onClick={then(props.onFullScreen)}>
            {document.fullscreenElement ? '退出全屏' : '全屏'}
          </Item>
        )}
        <Item icon={<GroupIcon />} onClick={then(props.onGroups)}>
          添加到社群
        </Item>
        {page > 0 && (
          <Item icon={<DownloadIcon />} isDisabled={saving.name === 'asking'} onClick={() => void save()}>
            保存第 {page} 页为图片
          </Item>
        )}
        <Item icon={<EyeIcon />} isDisabled={saving.name === 'asking'} onClick={() => void openWhole()}>
          打开原文（PDF）
        </Item>
        <li role="status" className={styles['said']} hidden={saving.name === 'none'}>
          <span>{saidOf(saving)}</span>
          {saving.name === 'members-only' && (
            <Button size="small" look="gold" onClick={then(() => buy({ kind: 'vip', fid: detail.fid }))}>
              开通会员
            </Button>
          )}
        </li>
        <li className={styles['compare']}>
          <Link to={comparePath(detail.fid)} className={styles['item']}>
            <CompareIcon /> 与另一份方案对比
          </Link>
        </li>
        <Item icon={<KeyboardIcon />} onClick={then(props.onHelp)}>
          操作方法
        </Item>
      </ul>
    </Sheet>
  );
}

function Item(props: {
  icon: ReactNode;
  isPhoneOnly?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <li className={props.isPhoneOnly ? styles['phone'] : undefined}>
      <button type="button" className={styles['item']} disabled={props.isDisabled} onClick={props.onClick}>
        {props.icon} <span>{props.children}</span>
      </button>
    </li>
  );
}

type Saving =
  | { name: 'none' }
  | { name: 'asking'; what: '图片' | 'PDF' }
  | { name: 'saved'; file: string }
  | { name: 'opened' }
  | { name: 'refused' | 'members-only'; why: string };

function saidOf(saving: Saving): string {
  switch (saving.name) {
    case 'none':
      return '';
    case 'asking':
      return saving.what === 'PDF' ? '正在打开原文…' : '正在生成图片…';
    case 'saved':
      return `已开始下载：${saving.file}`;
    case 'opened':
      return '原文已在新标签页打开';
    case 'refused':
    case 'members-only':
      return saving.why;
  }
}

const OFFLINE: Saving = { name: 'refused', why: '网络不通，请稍后再试' };

/** Opens the whole document as PDF in `tab` (C-41), where it costs nothing; else closes the tab. */
async function openInTab({ fid, owned }: DocumentDetail, tab: Window | null): Promise<Saving> {
  const expect = { method: owned === 1 ? 'owned' : 'membership', cost: 0 };
  const reply = await call(openOriginal, { fid, expect }).catch(() => null);
  if (reply?.code === CODE.ok && reply.data) {
    if (tab) tab.location.replace(reply.data.url);
    else window.location.assign(reply.data.url);
    return { name: 'opened' };
  }
  tab?.close();
  if (!reply) return OFFLINE;
  if (reply.code === CODE.conflict) return { name: 'refused', why: '本月阅读次数已用完，下载后可打开原文' };
  return { name: reply.code === CODE.notPermitted ? 'members-only' : 'refused', why: reply.message };
}

/** Asks for a page as an image and has the browser download it; the server decides who may (owners). */
async function saveAsImage(fid: number, page: number): Promise<Saving> {
  try {
    const reply = await call(savePage, { fid, page });
    if (reply.code !== CODE.ok || !reply.data) return { name: 'refused', why: reply.message };
    const link = document.createElement('a');
    link.href = reply.data.url;
    // The name in the answer's header wins; the attribute keeps the browser on this page.
    link.download = reply.data.file_name;
    link.click();
    return { name: 'saved', file: reply.data.file_name };
  } catch {
    return OFFLINE;
  }
}

const canFillScreen = (): boolean => typeof document !== 'undefined' && document.fullscreenEnabled;

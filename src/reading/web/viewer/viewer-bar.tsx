import { useRef, useState, type ReactNode } from 'react';
import { LazyBoundary } from '../../../ui/feedback/lazy-boundary.tsx';
import { CloseIcon, ListIcon, SearchIcon } from '../../../ui/pictures/icons.tsx';
import { MoreIcon, PresentIcon } from '../../../ui/pictures/tool-icons.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { AddToGroup, groupKey } from '../group-button.tsx';
import type { Gestures } from '../stage/track-gestures.ts';
import { ToolButton } from '../stage/tool-button.tsx';
import styles from './viewer-bar.module.css';
import { ViewerMenu } from './viewer-menu.tsx';
import { ZoomControl } from '../stage/zoom-control.tsx';
import type { Zoom } from '../stage/zoom.ts';

/** The bar over the pages: name, page, zoom, and what can be done with the pages. On a phone most of it is in the menu. */
export function ViewerBar(props: {
  detail: DocumentDetail;
  /** The page shown; 0 after the last page. */
  page: number;
  zoom: Zoom;
  gestures: () => Gestures | null;
  onZoomChosen: () => void;
  isFinding: boolean;
  onFind: () => void;
  isOutlineOpen: boolean;
  onOutline: () => void;
  onPresent: () => void;
  onFullScreen: () => void;
  onHelp: () => void;
  /** Further tools, before 更多. */
  tools: ReactNode;
  onClose: () => void;
}) {
  const { detail, page } = props;
  const more = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isGrouping, setIsGrouping] = useState(false);
  const total = detail.page_count;
  const closeMenu = () => setIsMenuOpen(false);
  return (
    <header className={styles['top']}>
      <p className={styles['name']} title={detail.name}>
        {detail.name}
      </p>
      <p className={styles['count']}>{page > 0 ? `${page} / ${total}` : `共 ${total} 页`}</p>
      <div className={styles['tools']}>
        {page > 0 && <ZoomControl zoom={props.zoom} gestures={props.gestures} onChosen={props.onZoomChosen} />}
        {detail.outline.length > 0 && (
          <Tool label="目录" isOpen={props.isOutlineOpen} isWideOnly onClick={props.onOutline}>
            <ListIcon size={22} />
          </Tool>
        )}
        <Tool label="在方案内查找" isOpen={props.isFinding} onClick={props.onFind}>
          <SearchIcon size={22} />
        </Tool>
        {page > 0 && (
          <Tool label="演示" isWideOnly onClick={props.onPresent}>
            <PresentIcon size={22} />
          </Tool>
        )}
        {props.tools}
        <ToolButton ref={more} label="更多" title="更多" aria-haspopup="dialog" onClick={() => setIsMenuOpen(true)}>
          <MoreIcon size={22} />
        </ToolButton>
        <Tool label="关闭全屏预览" onClick={props.onClose}>
          <CloseIcon size={24} />
        </Tool>
      </div>
      {isMenuOpen && (
        <ViewerMenu
          detail={detail}
          page={page}
          anchor={more}
          onOutline={props.onOutline}
          onPresent={props.onPresent}
          onFullScreen={props.onFullScreen}
          onHelp={props.onHelp}
          onGroups={() => setIsGrouping(true)}
          onClose={closeMenu}
        />
      )}
      {isGrouping && (
        <LazyBoundary onOpenChange={setIsGrouping}>
          <AddToGroup
            fid={detail.fid}
            resumeKey={groupKey(detail.fid)}
            anchor={more}
            onClose={() => setIsGrouping(false)}
          />
        </LazyBoundary>
      )}
    </header>
  );
}

function Tool(props: {
  label: string;
  isOpen?: boolean;
  isWideOnly?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <ToolButton
      label={props.label}
      className={props.isWideOnly ? styles['wide'] : undefined}
      title={props.label}
      aria-expanded={props.isOpen}
      onClick={props.onClick}
    >
      {props.children}
    </ToolButton>
  );
}

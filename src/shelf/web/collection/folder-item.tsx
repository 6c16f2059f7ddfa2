import { Link } from 'react-router';
import { formatNumber } from '../../../protocol/format-number.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FolderIcon } from '../../../ui/pictures/tool-icons.tsx';
import { myCollectionPath } from '../../addresses.ts';
import type { FolderItem as Folder } from '../../contract-folders.ts';
import type { CollectionDialog } from './collection-dialogs.tsx';
import styles from './folder-item.module.css';

/** A folder as a card, which links to the contents of the folder. */
export function FolderItem(props: { folder: Folder; isCharts: boolean; onDialog: (dialog: CollectionDialog) => void }) {
  const { folder, isCharts, onDialog } = props;
  return (
    <li className={styles['folder']}>
      <Link to={myCollectionPath({ folderId: folder.id, isCharts })} className={styles['link']}>
        <span className={styles['picture']}>
          <FolderIcon size={48} />
        </span>
        <span className={styles['name']}>{folder.name}</span>
        <span className={styles['count']}>{formatNumber(folder.count)} 项收藏</span>
      </Link>
      <div className={styles['tools']}>
        <Button
          size="small"
          look="plain"
          aria-label={`重命名 ${folder.name}`}
          onClick={() => onDialog({ kind: 'rename', folder })}
        >
          重命名
        </Button>
        <Button
          size="small"
          look="plain"
          aria-label={`移动 ${folder.name}`}
          onClick={() => onDialog({ kind: 'move-folder', folder })}
        >
          移动
        </Button>
        <Button
          size="small"
          look="plain"
          aria-label={`删除 ${folder.name}`}
          onClick={() => onDialog({ kind: 'delete', folder })}
        >
          删除
        </Button>
      </div>
    </li>
  );
}

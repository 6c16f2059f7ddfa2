import { ShareButton } from '../../../library/web/share/share-button.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import type { RecordItem } from '../../contract-history.ts';
import { FavoriteButton } from '../favorite-button.tsx';
import { ClearHistory, DeleteRead } from './delete-history.tsx';
import { KeptItem } from './kept-item.tsx';
import { KeptPage, NothingKept, type KeptListProps } from './kept-page.tsx';

/** The documents that the member has read, each with the page they were at. */
export function ReadList(props: KeptListProps<RecordItem>) {
  return (
    <KeptPage
      {...props}
      label="阅读记录"
      invitation="登录后查看读过的方案"
      empty={<NothingKept text="您还没有阅读过任何报告~" />}
      tools={props.loaded.list !== null && props.loaded.list.total > 0 && <ClearHistory />}
    >
      {(file) => {
        const { read_time: readAt = 0, last_page: lastPage = 0 } = file;
        return (
          <KeptItem
            key={file.fid}
            document={file}
            page={lastPage}
            line={`${momentText(readAt)} ${lastPage > 1 ? `读到第 ${lastPage} 页` : '阅读'}`}
            tools={
              <>
                {file.offline === 0 && (
                  <>
                    <FavoriteButton
                      target={{ type: 3, id: file.fid }}
                      name={file.name}
                      look="row"
                      isFavorite={file.is_favorite === 1}
                    />
                    <ShareButton document={file} page={() => 0} look="row" />
                  </>
                )}
                <DeleteRead document={file} />
              </>
            }
          />
        );
      }}
    </KeptPage>
  );
}

import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { ShareButton } from '../../../library/web/share/share-button.tsx';
import { callFrom } from '../../../page-context.ts';
import { formatNumber } from '../../../protocol/format-number.ts';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { myFavorite, USER_CENTRE_PAGE_SIZE, type FavoriteDocument } from '../../contract.ts';
import { RemoveForm } from '../delete-form.tsx';
import { FavoriteButton } from '../favorite-button.tsx';
import type { Route } from './+types/favorite-page';
import { KeptItem } from './kept-item.tsx';
import { keptHeading, KeptPage, NothingKept } from './kept-page.tsx';
import { hrefOfPage, loadKept, pageOf } from './load-kept.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  const asked = callFrom(context)(myFavorite, { page: pageOf(request), pageSize: USER_CENTRE_PAGE_SIZE });
  return loadKept(asked, (data) => data.files);
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的收藏');
}

/**
 * Renders /user/favorite (§2): the favourites of the member, the newest first. A removed favourite stays in the list until the next load, so
 * that it can be restored; a document that left the library cannot be kept again, so its removal asks first.
 */
export default function FavoritePage({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const [removed, setRemoved] = useState<FavoriteDocument | null>(null);
  const done = async () => {
    setRemoved(null);
    await revalidate();
    // The button goes with its row.
    keptHeading()?.focus();
  };
  return (
    <>
      <KeptPage
        title="我的收藏"
        loaded={loaderData}
        look="rows"
        label="收藏"
        totalText={`共 ${formatNumber(loaderData.list?.total ?? 0)} 份方案`}
        invitation="登录后查看收藏的方案"
        empty={<NothingKept text="您还没有收藏过任何报告~" />}
        hrefOf={hrefOfPage('/user/favorite')}
        tools={<LinkButton to="/myCollection">整理收藏夹</LinkButton>}
      >
        {(file) => (
          <KeptItem
            key={file.fid}
            document={file}
            line={`${momentText(file.favorite_time)} 收藏`}
            note={file.note}
            tools={
              file.offline === 1 ? (
                <Button size="small" look="plain" aria-label={`移除《${file.name}》`} onClick={() => setRemoved(file)}>
                  移除
                </Button>
              ) : (
                <>
                  <FavoriteButton target={{ type: 3, id: file.fid }} name={file.name} look="row" isFavorite />
                  <ShareButton document={file} page={() => 0} look="row" />
                </>
              )
            }
          />
        )}
      </KeptPage>
      {removed && (
        <Sheet title="取消收藏" onClose={() => setRemoved(null)}>
          <RemoveForm items={[removed]} onClose={() => setRemoved(null)} onDone={done} />
        </Sheet>
      )}
    </>
  );
}

import { data } from 'react-router';
import type { Route } from './+types/not-found-page';
import { NotFoundView } from './not-found-view.tsx';

/** The page of any unknown address: HTTP 404 (C-29). */
export function loader() {
  return data(null, 404);
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: `页面不存在 - ${matches[0].loaderData?.site.name ?? '策库'}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export default function NotFoundPage() {
  return <NotFoundView />;
}

import { redirect } from 'react-router';
import type { Route } from './+types/root-alias';

/** `/` is /index with its query kept; reached here only by a link inside the pages (C-15). */
export function loader({ request }: Route.LoaderArgs) {
  return redirect(`/index${new URL(request.url).search}`);
}

export default function RootAlias() {
  return null;
}
